# What `cmake --install` puts where, for find_package(knossos CONFIG) and for pkg-config. Everything is
# relative to the prefix, so that an installed tree can be moved.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/knossos")

set(knossos_libraries knossos)
foreach(library IN ITEMS knossos_main knossos_mpi_main)
  if(TARGET ${library})
    list(APPEND knossos_libraries ${library})
    set_target_properties(${library} PROPERTIES INSTALL_RPATH "\$ORIGIN")
  endif()
endforeach()
foreach(library IN LISTS knossos_libraries)
  # The one that needs MPI has an export of its own: who has no MPI can leave it out of an installed tree.
  set(export knossosTargets)
  if(library STREQUAL "knossos_mpi_main")
    set(export knossosMpiTargets)
  endif()
  install(TARGETS ${library} EXPORT ${export}
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/knossos" "${PROJECT_BINARY_DIR}/include/knossos"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.hpp")
install(EXPORT knossosTargets NAMESPACE knossos:: DESTINATION "${package_dir}")
if(TARGET knossos_mpi_main)
  install(EXPORT knossosMpiTargets NAMESPACE knossos:: DESTINATION "${package_dir}")
endif()

# A shared library brings its own dependencies along when a program starts. A static one hands them on to
# whoever links it, and only then must they be there to build with.
set(KNOSSOS_STATIC_DEPENDENCIES "")
set(KNOSSOS_PC_REQUIRES "")
get_target_property(library_type knossos TYPE)
if(library_type STREQUAL "STATIC_LIBRARY")
  install(FILES "${CMAKE_CURRENT_LIST_DIR}/KnossosFind.cmake" DESTINATION "${package_dir}")
  string(APPEND KNOSSOS_STATIC_DEPENDENCIES "include(\"\${CMAKE_CURRENT_LIST_DIR}/KnossosFind.cmake\")\n")
  foreach(library IN LISTS KNOSSOS_LIBRARIES)
    separate_arguments(library)
    list(POP_BACK library)
    list(GET library 1 target)
    list(GET library 2 module)
    if(NOT module STREQUAL "nlohmann_json") # headers alone
      string(APPEND KNOSSOS_PC_REQUIRES " ${module}")
    endif()
    list(JOIN library " " library)
    string(APPEND KNOSSOS_STATIC_DEPENDENCIES "knossos_find(${library})\nif(NOT TARGET ${target})\n"
      "  set(knossos_NOT_FOUND_MESSAGE \"it is a static library, and needs ${target}\")\n"
      "  set(knossos_FOUND FALSE)\n  return()\nendif()\n")
  endforeach()
  if(TARGET knossos_mpi_main)
    string(APPEND KNOSSOS_STATIC_DEPENDENCIES "find_package(MPI QUIET COMPONENTS CXX)\n")
  endif()
  # Objects that also hold machine code, so that any compiler and linker can use the archive.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(knossos PRIVATE -ffat-lto-objects)
  endif()
endif()

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/knossosConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/knossosConfig.cmake" INSTALL_DESTINATION "${package_dir}")
# Until 1.0 a minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/knossosConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/knossosConfig.cmake" "${PROJECT_BINARY_DIR}/knossosConfigVersion.cmake"
  DESTINATION "${package_dir}")

file(RELATIVE_PATH KNOSSOS_PC_PREFIX "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
configure_file("${CMAKE_CURRENT_LIST_DIR}/knossos.pc.in" "${PROJECT_BINARY_DIR}/knossos.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/knossos.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

# A loader and a scene for Godot; see docs/godot.md.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/share/godot" DESTINATION "${CMAKE_INSTALL_DATADIR}/knossos")

if(TARGET knossos_command)
  file(RELATIVE_PATH libraries_from_programs "/prefix/${CMAKE_INSTALL_BINDIR}" "/prefix/${CMAKE_INSTALL_LIBDIR}")
  set_target_properties(knossos_command PROPERTIES INSTALL_RPATH "\$ORIGIN/${libraries_from_programs}")
  install(TARGETS knossos_command RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  if(TARGET knossos_mpi)
    set_target_properties(knossos_mpi PROPERTIES INSTALL_RPATH "\$ORIGIN/${libraries_from_programs}")
    install(TARGETS knossos_mpi RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
    install(FILES "${PROJECT_SOURCE_DIR}/apps/mpi/knossos-mpi.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
  endif()
  if(NOT CMAKE_CROSSCOMPILING)
    set(reference "${PROJECT_BINARY_DIR}/reference")
    install(FILES "${reference}/knossos.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
    install(FILES "${reference}/knossos.bash" RENAME knossos
      DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
    install(FILES "${reference}/_knossos" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
    install(FILES "${reference}/knossos.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
    install(FILES "${reference}/recipe.schema.json" DESTINATION "${CMAKE_INSTALL_DATADIR}/knossos")
  endif()
endif()
