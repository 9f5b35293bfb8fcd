# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the build must know of the Slurm release that SLURM_SOURCE_DIR holds. Sets
#   SLURM_VERSION          e.g. 24.11.5
#   SLURM_VERSION_NUMBER   as Slurm encodes it, e.g. 0x180b05
#   SLURM_LINE             e.g. 24.11
#   SLURM_GENERATED_DIR    holds config.h and slurm/slurm_version.h: no ./configure is needed
#   NVL72BLOCK_PROBES      definitions for what changes within 24.11, 25.05, ...
#   NVL72BLOCK_RELEASE     what is particular to this version, slurm/release_VERSION.h
#   NVL72BLOCK_LAYOUT      the measured structures, slurm/layout_VERSION.h
#   NVL72BLOCK_ENTRY_SOURCES  the plugin's files for what only later versions look up
#   NVL72BLOCK_CHECKS_LAYOUT  whether plugin/slurm/slurm_layout.c is to be compiled

option(NVL72BLOCK_ACCEPT_PATCHED_SLURM
  "Build for a Slurm whose own patches move members of its structures; the cluster must run exactly SLURM_SOURCE_DIR"
  OFF)

function(nvl72block_read_meta file key result)
  file(STRINGS "${file}" lines REGEX "^[ \t]*${key}:")
  list(GET lines 0 line)
  string(REGEX REPLACE "^[ \t]*${key}:[ \t]*([^ \t]*).*$" "\\1" value "${line}")
  set(${result} "${value}" PARENT_SCOPE)
endfunction()

# A definition NAME=1 or NAME=0 by whether a source file mentions a word.
function(nvl72block_probe name file word)
  set(found 0)
  if(EXISTS "${SLURM_SOURCE_DIR}/${file}")
    file(STRINGS "${SLURM_SOURCE_DIR}/${file}" hits REGEX "${word}" LIMIT_COUNT 1)
    if(hits)
      set(found 1)
    endif()
  endif()
  message(STATUS "Slurm ${SLURM_VERSION}: ${word}: ${found}")
  list(APPEND NVL72BLOCK_PROBES "${name}=${found}")
  set(NVL72BLOCK_PROBES "${NVL72BLOCK_PROBES}" PARENT_SCOPE)
endfunction()

get_filename_component(SLURM_SOURCE_DIR "${SLURM_SOURCE_DIR}" ABSOLUTE)
foreach(needed META src/interfaces/topology.h src/interfaces/topology.c
               src/plugins/topology/common/eval_nodes.c)
  if(NOT EXISTS "${SLURM_SOURCE_DIR}/${needed}")
    message(FATAL_ERROR
      "SLURM_SOURCE_DIR=${SLURM_SOURCE_DIR} is not the source tree of a Slurm release: it has no "
      "${needed}. Give the unpacked source of exactly the Slurm that the cluster runs (the installed "
      "headers are not enough).")
  endif()
endforeach()

nvl72block_read_meta("${SLURM_SOURCE_DIR}/META" Name slurm_name)
nvl72block_read_meta("${SLURM_SOURCE_DIR}/META" Version SLURM_VERSION)
if(NOT slurm_name STREQUAL "slurm" OR NOT SLURM_VERSION MATCHES "^([0-9]+)\\.([0-9]+)\\.([0-9]+)")
  message(FATAL_ERROR
    "${SLURM_SOURCE_DIR}/META names \"${slurm_name} ${SLURM_VERSION}\", which is not a Slurm release.")
endif()
set(SLURM_LINE "${CMAKE_MATCH_1}.${CMAKE_MATCH_2}")
math(EXPR SLURM_VERSION_NUMBER
  "(${CMAKE_MATCH_1} << 16) + (${CMAKE_MATCH_2} << 8) + ${CMAKE_MATCH_3}" OUTPUT_FORMAT HEXADECIMAL)
if(SLURM_VERSION VERSION_LESS 24.11.5)
  message(FATAL_ERROR
    "Slurm ${SLURM_VERSION} is too old for nvl72block: it needs 24.11.5 or later. 24.11 is the first "
    "version whose block topology has segments; up to 24.11.4 the list of node features, which the "
    "plugin follows, is not open to plugins.")
endif()
# The newest plugin/slurm/release_VERSION.h that is not newer than this Slurm, and layout_VERSION.h of exactly this version.
file(GLOB nvl72block_releases RELATIVE ${PROJECT_SOURCE_DIR}/plugin/slurm ${PROJECT_SOURCE_DIR}/plugin/slurm/release_*.h)
list(SORT nvl72block_releases)
foreach(file IN LISTS nvl72block_releases)
  string(REGEX REPLACE "release_([0-9]+)_([0-9]+).h" "\\1.\\2" line "${file}")
  if(SLURM_LINE VERSION_GREATER_EQUAL line)
    set(NVL72BLOCK_RELEASE slurm/${file})
  endif()
endforeach()
string(REPLACE . _ nvl72block_layout ${SLURM_LINE})
set(NVL72BLOCK_LAYOUT slurm/layout_${nvl72block_layout}.h)
set(nvl72block_measured 0)
if(EXISTS ${PROJECT_SOURCE_DIR}/plugin/${NVL72BLOCK_LAYOUT})
  file(STRINGS ${PROJECT_SOURCE_DIR}/plugin/${NVL72BLOCK_LAYOUT} nvl72block_measured REGEX " up to " LIMIT_COUNT 1)
  string(REGEX REPLACE ".* up to ([0-9.]*[0-9]).*" "\\1" nvl72block_measured "${nvl72block_measured}")
endif()
if(SLURM_LINE VERSION_GREATER 26.05)
  message(WARNING
    "Slurm ${SLURM_VERSION} is newer than the versions that nvl72block supports (24.11 to 26.05). It is "
    "built as for 26.05; expect compile errors or a plugin that Slurm refuses to load.")
endif()

# The functions and data that this Slurm looks up in a topology plugin. One that is missing ends
# slurmctld at start, and no compiler sees it.
set(nvl72block_entries plugin_id topology_p_build_config topology_p_eval_nodes topology_p_whole_topo
    topology_p_get_bitmap topology_p_generate_node_ranking topology_p_get_node_addr
    topology_p_split_hostlist topology_p_get topology_p_get_fragmentation)
set(NVL72BLOCK_ENTRY_SOURCES "")
if(SLURM_LINE VERSION_GREATER_EQUAL 25.05)
  list(APPEND nvl72block_entries plugin_type supports_exclusive_topo topology_p_add_rm_node
       topology_p_destroy_config)
  list(APPEND NVL72BLOCK_ENTRY_SOURCES topology/configured_blocks.c topology/membership.c topology/yaml_config.c)
else()
  list(APPEND NVL72BLOCK_ENTRY_SOURCES topology/deleted_nodes.c)
endif()
if(SLURM_LINE VERSION_GREATER_EQUAL 25.11)
  set(infos topoinfo)
  list(APPEND nvl72block_entries topology_p_get_topology_str topology_p_jobinfo_free
       topology_p_jobinfo_pack topology_p_jobinfo_unpack topology_p_jobinfo_get)
  list(APPEND NVL72BLOCK_ENTRY_SOURCES job/hierarchical.c job/job_info.c topology/topology_string.c)
else()
  set(infos topology)
endif()
foreach(verb free pack print unpack)
  list(APPEND nvl72block_entries topology_p_${infos}_${verb})
endforeach()
if(SLURM_LINE VERSION_GREATER_EQUAL 26.05)
  list(APPEND nvl72block_entries topology_p_allow_one_node topology_p_eval_node topology_p_get_rank)
  list(APPEND NVL72BLOCK_ENTRY_SOURCES topology/rank.c)
endif()
file(STRINGS "${SLURM_SOURCE_DIR}/src/interfaces/topology.c" lines REGEX "^[ \t]*\"[a-z_]+\",?[ \t]*$")
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^[ \t]*\"([a-z_]+)\".*$" "\\1" entry "${line}")
  if(NOT entry IN_LIST nvl72block_entries)
    message(FATAL_ERROR
      "${SLURM_SOURCE_DIR}/src/interfaces/topology.c looks up \"${entry}\" in a topology plugin, which "
      "nvl72block for Slurm ${SLURM_LINE} does not have: this slurmctld would stop at start. The tree "
      "is patched or is not Slurm ${SLURM_VERSION}; take the source that the cluster's Slurm was built "
      "from, or a later nvl72block.")
  endif()
endforeach()

set(NVL72BLOCK_CHECKS_LAYOUT OFF)
if(NVL72BLOCK_ACCEPT_PATCHED_SLURM)
  message(WARNING
    "NVL72BLOCK_ACCEPT_PATCHED_SLURM: the structures in ${SLURM_SOURCE_DIR} are not compared with the "
    "released Slurm ${SLURM_VERSION}. The plugin may be loaded only by a Slurm built from this tree.")
elseif(SLURM_VERSION VERSION_LESS_EQUAL nvl72block_measured)
  set(NVL72BLOCK_CHECKS_LAYOUT ON)
else()
  message(WARNING
    "The structures of Slurm ${SLURM_VERSION} are not known to nvl72block ${PROJECT_VERSION}: the build "
    "cannot tell whether ${SLURM_SOURCE_DIR} is that version. Make sure that the cluster's Slurm was "
    "built from it.")
endif()
if(NOT CMAKE_SIZEOF_VOID_P EQUAL 8)
  set(NVL72BLOCK_CHECKS_LAYOUT OFF)
endif()

set(SLURM_GENERATED_DIR "${CMAKE_CURRENT_BINARY_DIR}/slurm-${SLURM_VERSION}")
file(CONFIGURE OUTPUT "${SLURM_GENERATED_DIR}/config.h" CONTENT
"#define USE_ALIAS 1
#define NDEBUG 1
")
file(CONFIGURE OUTPUT "${SLURM_GENERATED_DIR}/slurm/slurm_version.h" CONTENT
"#ifndef NVL72BLOCK_SLURM_VERSION_H
#define NVL72BLOCK_SLURM_VERSION_H
#define SLURM_VERSION_NUMBER ${SLURM_VERSION_NUMBER}
#define SLURM_VERSION_NUM(a, b, c) (((a) << 16) + ((b) << 8) + (c))
#define SLURM_VERSION_MAJOR(a) (((a) >> 16) & 0xff)
#define SLURM_VERSION_MINOR(a) (((a) >> 8) & 0xff)
#define SLURM_VERSION_MICRO(a) ((a) & 0xff)
#endif
")

set(NVL72BLOCK_PROBES "")
nvl72block_probe(NVL72BLOCK_HAVE_GRES_SEGMENTS src/interfaces/gres.h gres_sched_segment_set)
message(STATUS "Plugin for Slurm ${SLURM_VERSION} (${SLURM_VERSION_NUMBER}) from ${SLURM_SOURCE_DIR}")
