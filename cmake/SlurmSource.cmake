# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the build must know of the Slurm release that SLURM_SOURCE_DIR holds. Sets
#   SLURM_VERSION          e.g. 24.11.5
#   SLURM_VERSION_NUMBER   as Slurm encodes it, e.g. 0x180b05
#   SLURM_LINE             e.g. 24.11
#   SLURM_GENERATED_DIR    holds config.h and slurm/slurm_version.h: no ./configure is needed
#   NVL72BLOCK_PROBES      definitions for what changes inside a release line

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
foreach(needed META src/interfaces/topology.h src/plugins/topology/common/eval_nodes.c)
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
    "${SLURM_SOURCE_DIR}/META names \"${slurm_name} ${SLURM_VERSION}\", which is no Slurm release.")
endif()
set(SLURM_LINE "${CMAKE_MATCH_1}.${CMAKE_MATCH_2}")
math(EXPR SLURM_VERSION_NUMBER
  "(${CMAKE_MATCH_1} << 16) + (${CMAKE_MATCH_2} << 8) + ${CMAKE_MATCH_3}" OUTPUT_FORMAT HEXADECIMAL)
if(SLURM_LINE VERSION_LESS 24.11)
  message(FATAL_ERROR
    "Slurm ${SLURM_VERSION} is too old for nvl72block: it needs 24.11 or later, the first release "
    "whose block topology has segments.")
endif()
if(SLURM_LINE VERSION_GREATER 26.05)
  message(WARNING
    "Slurm ${SLURM_VERSION} is newer than the releases that nvl72block knows (24.11 to 26.05). It is "
    "built as for 26.05; expect compile errors or a plugin that Slurm refuses to load.")
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
