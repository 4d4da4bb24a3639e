# cmake --install build --prefix DIR: the program, the library in both forms, its header, and what
# find_package(gpy) and pkg-config ask for. The modules of the library are inside of all three.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(TARGET gpy)
  install(TARGETS gpy RUNTIME)
endif()
install(TARGETS gpy_shared LIBRARY)
install(FILES ${archive} DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${PROJECT_SOURCE_DIR}/src/embed/gpy.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/gpy)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/gpyConfig.cmake.in
  ${PROJECT_BINARY_DIR}/gpyConfig.cmake INSTALL_DESTINATION ${package_folder}
  PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gpyConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gpyConfig.cmake ${PROJECT_BINARY_DIR}/gpyConfigVersion.cmake
        DESTINATION ${package_folder})

# Places are told from the file's own, so that the installed tree can be moved.
file(RELATIVE_PATH up ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${CMAKE_CURRENT_LIST_DIR}/gpy.pc.in ${PROJECT_BINARY_DIR}/gpy.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/gpy.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
