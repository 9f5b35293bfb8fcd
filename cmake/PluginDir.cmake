# SPDX-License-Identifier: GPL-2.0-or-later
#
# Sets NVL72BLOCK_PLUGIN_DIR, where the plugin is installed: where the Slurm of this host looks for plugins, if its
# slurmctld answers, else ${libdir}/slurm. Debian's Slurm looks in /usr/lib/<triplet>/slurm-wlm.

# The last folder of PluginDir is Slurm's own; those before it may be a drop-in's.
function(nvl72block_ask_slurm result)
  set(${result} "" PARENT_SCOPE)
  find_program(NVL72BLOCK_SCONTROL scontrol)
  mark_as_advanced(NVL72BLOCK_SCONTROL)
  if(CMAKE_CROSSCOMPILING OR NOT NVL72BLOCK_SCONTROL)
    return()
  endif()
  execute_process(COMMAND ${NVL72BLOCK_SCONTROL} show config TIMEOUT 10
                  OUTPUT_VARIABLE answer ERROR_QUIET RESULT_VARIABLE status)
  if(status EQUAL 0 AND answer MATCHES "\nPluginDir[ \t]*=[ \t]*([^\n]*:)?(/[^:\n]+)")
    set(${result} "${CMAKE_MATCH_2}" PARENT_SCOPE)
  endif()
endfunction()

include(GNUInstallDirs)
if(NOT DEFINED NVL72BLOCK_PLUGIN_DIR)
  nvl72block_ask_slurm(found)
  if(NOT found)
    set(found "${CMAKE_INSTALL_LIBDIR}/slurm")
  endif()
  set(NVL72BLOCK_PLUGIN_DIR "${found}" CACHE STRING "Where the plugin is installed: Slurm's PluginDir")
endif()
message(STATUS "The plugin is installed in ${NVL72BLOCK_PLUGIN_DIR}")
