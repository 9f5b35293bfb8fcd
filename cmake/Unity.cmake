# SPDX-License-Identifier: GPL-2.0-or-later
# nvl72block_unity(TARGET [SEPARATE FILE...] [TOGETHER FILE...]): with NVL72BLOCK_UNITY_BUILD the sources of a folder are
# compiled together, so that the headers that they share are read once. SEPARATE files are compiled by themselves: they have a
# name in an unnamed namespace that another file of the folder has, too. Those that stand TOGETHER are a folder of their own.
function(nvl72block_unity target)
  if(NOT NVL72BLOCK_UNITY_BUILD)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SEPARATE;TOGETHER")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE file)
    if(file IN_LIST arg_SEPARATE)
      continue()
    endif()
    if(file IN_LIST arg_TOGETHER)
      set(folder together)
    else()
      cmake_path(GET file PARENT_PATH folder)
    endif()
    string(MAKE_C_IDENTIFIER "of_${folder}" group)
    # A large folder is compiled on several processors.
    math(EXPR part "0${count_${group}} / 10")
    math(EXPR count_${group} "0${count_${group}} + 1")
    set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${group}_${part})
  endforeach()
endfunction()
