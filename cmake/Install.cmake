# SPDX-License-Identifier: GPL-2.0-or-later
#
# What `cmake --install` copies beside the plugin and the command, by component:
#   command  the command, its manual page, its completion for bash, example configurations
#   plugin   the plugin and nvl72block-records, in Slurm's PluginDir (plugin/CMakeLists.txt), and the manual page
#   dropin   both under the name of Slurm's own plugin, in PluginDir/nvl72block
#   devel    the engine for other programs: headers, library, CMake package and pkg-config file
#   source   what `nvl72block build-plugin` compiles
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS nvl72block_engine EXPORT nvl72block-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT devel
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/nvl72block DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT devel)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/nvl72block)
install(EXPORT nvl72block-targets NAMESPACE nvl72block:: DESTINATION ${package_dir} COMPONENT devel)
configure_package_config_file(cmake/nvl72block-config.cmake.in nvl72block-config.cmake
                              INSTALL_DESTINATION ${package_dir})
# Up to 1.0, interfaces may change with the second number.
write_basic_package_version_file(nvl72block-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/nvl72block-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/nvl72block-config-version.cmake
        DESTINATION ${package_dir} COMPONENT devel)

# The library needs libfmt where it was not compiled with fmt's headers alone.
set(NVL72BLOCK_PC_REQUIRES fmt)
if(SLURM_SOURCE_DIR)
  set(NVL72BLOCK_PC_REQUIRES "")
endif()
configure_file(cmake/nvl72block.pc.in nvl72block.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/nvl72block.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT devel)

if(NVL72BLOCK_BUILD_TOOL)
  install(FILES docs/man/nvl72block.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command)
  install(FILES packaging/completion/nvl72block
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT command)
  install(DIRECTORY configs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT command)
endif()
# The sources that build-plugin compiles are without documentation.
if(SLURM_SOURCE_DIR AND EXISTS ${PROJECT_SOURCE_DIR}/docs/man/topology_nvl72block.5)
  install(FILES docs/man/topology_nvl72block.5 DESTINATION ${CMAKE_INSTALL_MANDIR}/man5 COMPONENT plugin)
endif()

set(source_dir ${CMAKE_INSTALL_DATADIR}/nvl72block/source)
install(FILES CMakeLists.txt LICENSE DESTINATION ${source_dir} COMPONENT source)
install(DIRECTORY cmake include plugin records DESTINATION ${source_dir} COMPONENT source)
install(DIRECTORY src DESTINATION ${source_dir} COMPONENT source
        PATTERN src/cli EXCLUDE PATTERN src/replay EXCLUDE)
