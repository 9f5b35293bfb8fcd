# SPDX-License-Identifier: GPL-2.0-or-later
#
# Toolchain file: builds for aarch64 (Grace) on another architecture, with Debian's cross compiler and the arm64
# libraries that Debian installs beside the machine's own:
#   dpkg --add-architecture arm64 && apt-get update
#   apt-get install crossbuild-essential-arm64 libfmt-dev:arm64 libboost-graph-dev:arm64 libyaml-dev:arm64 libcsv-dev:arm64
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_STRIP aarch64-linux-gnu-strip)

# Programs run on this machine: those of the directories for libraries are another architecture's.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
# Tests are listed when ctest runs, which needs an emulator, and not by the build, which does not.
set(CMAKE_GTEST_DISCOVER_TESTS_DISCOVERY_MODE PRE_TEST)
