# Finds every library that the build needs, or says in one sentence what is missing and how it is installed here; before
# that, whether the compiler is new enough. The sentences begin with "knossos: ", by which ./knossos finds them, and are
# indented, so that CMake does not wrap them.
include(KnossosFind)

foreach(id_and_version IN ITEMS "GNU;12" "Clang;16")
  list(GET id_and_version 0 id)
  list(GET id_and_version 1 version)
  if(CMAKE_CXX_COMPILER_ID STREQUAL id AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS version)
    message(FATAL_ERROR "  knossos: ${CMAKE_CXX_COMPILER} is ${id} ${CMAKE_CXX_COMPILER_VERSION}, which is too old: "
      "Knossos needs g++ 12 or clang 16 (one by another name: CXX=g++-12 ./knossos)")
  endif()
endforeach()

# knossos_how_to_install(RESULT DEBIAN_NAME...) is the command that installs packages here, as packages/names calls them.
function(knossos_how_to_install result)
  set(managers apt-get dnf pacman brew) # in the order of the columns
  find_program(KNOSSOS_PACKAGE_MANAGER NAMES ${managers})
  mark_as_advanced(KNOSSOS_PACKAGE_MANAGER)
  set(column 0)
  set(install "install what Debian calls")
  if(KNOSSOS_PACKAGE_MANAGER)
    cmake_path(GET KNOSSOS_PACKAGE_MANAGER FILENAME manager)
    list(FIND managers ${manager} column)
    set(commands "sudo apt-get install" "sudo dnf install" "sudo pacman -S --needed" "brew install")
    list(GET commands ${column} install)
  endif()
  file(STRINGS "${PROJECT_SOURCE_DIR}/packages/names" lines REGEX "^[^#]")
  foreach(line IN LISTS lines)
    string(REGEX MATCHALL "[^ ]+" words "${line}")
    list(GET words 0 debian)
    list(GET words ${column} name)
    if(debian IN_LIST ARGN AND NOT name STREQUAL "-")
      list(APPEND names "${name}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES names)
  list(JOIN names " " names)
  set(${result} "${install} ${names}" PARENT_SCOPE)
endfunction()

# knossos_need(NAME DEBIAN_NAME CONDITION...) notes what was looked for in vain.
set(missing "")
set(missing_packages "")
macro(knossos_need name debian)
  if(NOT (${ARGN}))
    list(APPEND missing "${name}")
    list(APPEND missing_packages "${debian}")
  endif()
endmacro()

find_package(Threads REQUIRED)
# For other systems than this one the libraries of this one are of no use, but those that are headers only are.
set(KNOSSOS_HEADERS "" CACHE PATH "A folder with the headers of fmt, Highway, toml++, JSON and Boost, to be used without libraries")
if(KNOSSOS_HEADERS)
  foreach(target IN ITEMS fmt::fmt hwy::hwy tomlplusplus::tomlplusplus nlohmann_json::nlohmann_json)
    add_library(${target} INTERFACE IMPORTED GLOBAL)
    target_include_directories(${target} SYSTEM INTERFACE "${KNOSSOS_HEADERS}")
  endforeach()
  target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
  target_compile_definitions(tomlplusplus::tomlplusplus INTERFACE TOML_HEADER_ONLY=1)
  if(EMSCRIPTEN)
    # What is downloaded does without locales and streams. See also src/recipe/toml_numbers.hpp.
    target_compile_definitions(fmt::fmt INTERFACE "FMT_STATIC_THOUSANDS_SEPARATOR=','")
    target_compile_definitions(tomlplusplus::tomlplusplus INTERFACE TOML_INT_CHARCONV=1 TOML_FLOAT_CHARCONV=1
      TOML_ENABLE_FORMATTERS=0)
    target_compile_definitions(nlohmann_json::nlohmann_json INTERFACE JSON_NO_IO)
  endif()
  set(KNOSSOS_BOOST_HEADERS "${KNOSSOS_HEADERS}")
endif()
# The name of the CMake package, the target, the module of pkg-config, and Debian's package.
set(KNOSSOS_LIBRARIES
  "fmt fmt::fmt fmt libfmt-dev"
  "hwy hwy::hwy libhwy libhwy-dev")
if(NOT KNOSSOS_PARTS STREQUAL "engine")
  list(APPEND KNOSSOS_LIBRARIES
    "tomlplusplus tomlplusplus::tomlplusplus tomlplusplus libtomlplusplus-dev"
    "nlohmann_json nlohmann_json::nlohmann_json nlohmann_json nlohmann-json3-dev")
endif()
if(KNOSSOS_PARTS MATCHES "^(recipes|all)$")
  list(APPEND KNOSSOS_LIBRARIES
    "PNG PNG::PNG libpng libpng-dev"
    "pugixml pugixml::pugixml pugixml libpugixml-dev"
    "ZLIB ZLIB::ZLIB zlib zlib1g-dev"
    "zstd zstd::libzstd_shared libzstd libzstd-dev"
    "cairo cairo::cairo cairo libcairo2-dev"
    # Not by libzip's own CMake package: Debian's asks for programs that are packages of their own.
    "zip zip::zip libzip libzip-dev")
endif()
if(KNOSSOS_PARTS STREQUAL "all")
  list(APPEND KNOSSOS_LIBRARIES
    "SQLite3 SQLite::SQLite3 sqlite3 libsqlite3-dev")
endif()
set(KNOSSOS_TARGETS ${KNOSSOS_LIBRARIES})
list(TRANSFORM KNOSSOS_TARGETS REPLACE "^[^ ]+ ([^ ]+) .*" "\\1")
set(libraries ${KNOSSOS_LIBRARIES})
if(KNOSSOS_APPS)
  list(APPEND libraries "CLI11 CLI11::CLI11 CLI11 libcli11-dev")
endif()
if(KNOSSOS_TESTS AND KNOSSOS_PARTS STREQUAL "all")
  list(APPEND libraries "GTest GTest::gtest_main gtest_main libgtest-dev")
endif()
foreach(library IN LISTS libraries)
  separate_arguments(library)
  list(GET library 0 package)
  list(GET library 1 target)
  list(GET library 2 module)
  list(GET library 3 debian)
  knossos_find(${package} ${target} ${module})
  knossos_need(${package} ${debian} TARGET ${target})
endforeach()
# Of Boost only headers, which may be there without its CMake package; CMake's own module for it is going away.
if(NOT KNOSSOS_PARTS STREQUAL "engine")
  find_package(Boost CONFIG QUIET)
  find_path(KNOSSOS_BOOST_HEADERS boost/math/distributions/normal.hpp HINTS ${Boost_INCLUDE_DIRS})
  mark_as_advanced(KNOSSOS_BOOST_HEADERS)
  knossos_need(Boost libboost-dev KNOSSOS_BOOST_HEADERS)
endif()
# Of OpenCL the headers: its library is opened at run time, by those who want a device.
if(KNOSSOS_PARTS MATCHES "^(recipes|all)$")
  find_path(KNOSSOS_OPENCL_HEADERS CL/cl.h)
  mark_as_advanced(KNOSSOS_OPENCL_HEADERS)
  knossos_need(OpenCL opencl-c-headers KNOSSOS_OPENCL_HEADERS)
endif()
if(KNOSSOS_APPS AND KNOSSOS_MPI)
  find_package(MPI QUIET COMPONENTS CXX)
  knossos_need(MPI libopenmpi-dev MPI_CXX_FOUND OR KNOSSOS_MPI STREQUAL "AUTO")
endif()

if(missing)
  list(JOIN missing ", " missing)
  knossos_how_to_install(install ${missing_packages})
  message(FATAL_ERROR "  knossos: the build needs what is not found here: ${missing}; to install it: ${install}")
endif()
