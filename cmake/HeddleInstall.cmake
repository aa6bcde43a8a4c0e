# SPDX-License-Identifier: Apache-2.0
# What installs besides the command and the libraries. First the package that find_package(heddle) finds. Each library joins the export set heddleTargets where it is made.
include(CMakePackageConfigHelpers)

set(heddle_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/heddle)
configure_package_config_file(cmake/heddleConfig.cmake.in ${PROJECT_BINARY_DIR}/heddleConfig.cmake
  INSTALL_DESTINATION ${heddle_package_dir} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/heddleConfigVersion.cmake COMPATIBILITY SameMinorVersion)

install(FILES ${PROJECT_BINARY_DIR}/heddleConfig.cmake ${PROJECT_BINARY_DIR}/heddleConfigVersion.cmake
  DESTINATION ${heddle_package_dir})
install(EXPORT heddleTargets NAMESPACE heddle:: DESTINATION ${heddle_package_dir})

# Documents and examples in one tree as in the sources, so that links between them lead somewhere.
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES topo/jobs/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.recorded-jobs)
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
