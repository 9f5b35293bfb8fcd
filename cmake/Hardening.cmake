# SPDX-License-Identifier: GPL-2.0-or-later
#
# Protection against overruns for what gets installed: nvl72block_hardening. A distribution's flags
# and compilers may set the same, or more of it (_FORTIFY_SOURCE=3); those stay as they are. Builds
# for debugging and with sanitizers have none of it: sanitizers see more.
include(CheckCXXSourceCompiles)

add_library(nvl72block_hardening INTERFACE)
target_link_options(nvl72block_hardening INTERFACE -Wl,-z,relro -Wl,-z,noexecstack)

# What CMAKE_CXX_FLAGS and the compiler bring by themselves, in an optimised build.
set(CMAKE_REQUIRED_FLAGS -O2)
check_cxx_source_compiles("#ifndef _FORTIFY_SOURCE\n#error none\n#endif\nint main() {}"
                          NVL72BLOCK_HAS_FORTIFY)
check_cxx_source_compiles("#if !defined(__SSP_STRONG__) && !defined(__SSP_ALL__)\n#error none\n#endif\nint main() {}"
                          NVL72BLOCK_HAS_STACK_PROTECTOR)
unset(CMAKE_REQUIRED_FLAGS)

set(optimised $<CONFIG:Release,RelWithDebInfo,MinSizeRel>)
if(NOT NVL72BLOCK_HAS_FORTIFY)
  target_compile_definitions(nvl72block_hardening INTERFACE $<${optimised}:_FORTIFY_SOURCE=2>)
endif()
if(NOT NVL72BLOCK_HAS_STACK_PROTECTOR)
  target_compile_options(nvl72block_hardening INTERFACE
                         $<${optimised}:-fstack-protector-strong>)
endif()
