# What every target of the project is compiled and linked with, beyond the preset's own flags.
include(CheckCXXCompilerFlag)
include(CheckIPOSupported)
include(CheckLinkerFlag)
check_ipo_supported(RESULT KNOSSOS_IPO_SUPPORTED OUTPUT KNOSSOS_IPO_MESSAGE LANGUAGES CXX)
# Off: counted in instructions it changes the pieces of bench/guard by -4 to +6 %, and building takes a minute longer.
option(KNOSSOS_LTO "Link-time optimisation in release builds" OFF)
# Not every system has these.
check_linker_flag(CXX "LINKER:-z,relro,-z,now" KNOSSOS_HAS_RELRO)
check_linker_flag(CXX "LINKER:-Bsymbolic-functions" KNOSSOS_HAS_SYMBOLIC_FUNCTIONS)
check_cxx_compiler_flag(-fno-semantic-interposition KNOSSOS_HAS_NO_SEMANTIC_INTERPOSITION)
# g++ 13 and later set this and -mvzeroupper with -O2, and take no header precompiled with them where they are not set.
check_cxx_compiler_flag(-munroll-only-small-loops KNOSSOS_HAS_UNROLL_ONLY_SMALL_LOOPS)
# g++ tidies its memory again and again, which takes a seventh of its time; where there is enough it need not.
cmake_host_system_information(RESULT KNOSSOS_MEMORY QUERY TOTAL_PHYSICAL_MEMORY) # in MiB
cmake_host_system_information(RESULT KNOSSOS_PROCESSORS QUERY NUMBER_OF_LOGICAL_CORES)
math(EXPR KNOSSOS_MEMORY_EACH "${KNOSSOS_MEMORY} / ${KNOSSOS_PROCESSORS}")

# WebAssembly: exceptions, vectors and the rest that all browsers know since 2023; and libc++ has std::jthread among its
# experiments.
set(KNOSSOS_RELOCATABLE ON)
option(KNOSSOS_WEB_THREADS "WebAssembly with threads, for pages that are cross-origin isolated" OFF)
if(EMSCRIPTEN)
  set(KNOSSOS_RELOCATABLE OFF) # addresses in tables are for libraries that are loaded later
  # Sizes have 32 bits there, and what is larger does not fit into the memory.
  if(NOT KNOSSOS_WEB_THREADS)
    set(alone -fno-threadsafe-statics)
  endif()
  # What is downloaded carries no names of types, and one copy of what is much the same for every operator. Optimised when
  # it is linked, it is a thirteenth smaller.
  add_compile_options(-flto -fwasm-exceptions -msimd128 -mbulk-memory -mnontrapping-fptoint -fexperimental-library
    ${alone} -fno-rtti -DKNOSSOS_SMALL)
  add_link_options(-flto -fwasm-exceptions -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=2GB -sSTACK_SIZE=1MB)
  if(KNOSSOS_WEB_THREADS)
    # A thread begins in a worker that is there already, for whoever waits for it lets no other one begin: where there
    # are no more, there is no thread. JavaScript is a little slower where shared memory may grow.
    add_compile_options(-pthread)
    add_link_options(-pthread -Wno-pthreads-mem-growth "-sPTHREAD_POOL_SIZE=Module['knossosThreads']||0"
      -sPTHREAD_POOL_SIZE_STRICT=2 -sDEFAULT_PTHREAD_STACK_SIZE=1MB)
  endif()
endif()

function(knossos_flags target)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ${KNOSSOS_RELOCATABLE})
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
    -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual -Wcast-qual
    # Aggregates with designated initialisers are how settings are written; their other fields have defaults.
    -Wno-missing-field-initializers)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    if(KNOSSOS_MEMORY_EACH GREATER 1900)
      target_compile_options(${target} PRIVATE "SHELL:--param ggc-min-heapsize=1500000")
    endif()
    # g++ 12 sees overlaps in the operators + of std::string that are not there.
    target_compile_options(${target} PRIVATE -Wno-restrict)
    if(KNOSSOS_UNITS)
      # Takes the files of a unit for headers, where classes must not be made of what is local to a file.
      target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
    endif()
  else()
    # std::stable_sort of libstdc++ 12 calls what libstdc++ 12 calls deprecated.
    target_compile_options(${target} PRIVATE -Wno-deprecated-declarations)
    if(EMSCRIPTEN)
      target_compile_options(${target} PRIVATE -Wno-shorten-64-to-32)
    endif()
  endif()
  if(KNOSSOS_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT EMSCRIPTEN)
    target_compile_options(${target} PRIVATE -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
    if(KNOSSOS_HAS_NO_SEMANTIC_INTERPOSITION)
      target_compile_options(${target} PRIVATE -fno-semantic-interposition)
    endif()
    if(KNOSSOS_HAS_RELRO)
      target_link_options(${target} PRIVATE LINKER:-z,relro,-z,now)
    endif()
    # A library calls its own functions, inline ones included: not those of a program that was optimised less, and without
    # looking each of them up when it is loaded, which would be over half of a short run.
    if(KNOSSOS_HAS_SYMBOLIC_FUNCTIONS)
      target_link_options(${target} PRIVATE LINKER:-Bsymbolic-functions)
    endif()
  endif()
endfunction()

# For what is never hot: programs that call the library, and tests. Less than half the time to compile; under sanitizers,
# whose checks take long to optimise, a quarter.
function(knossos_compile_lightly target)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${target} PRIVATE -Og)
  elseif(CMAKE_BUILD_TYPE STREQUAL "Debug")
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

# Headers that most files read, read once for all files of a target, where files are put together as well
# (KNOSSOS_UNITS): a build file by file shows that each includes what it needs. Only what does not change: the standard
# library's and other people's. The code that comes out is the same.
function(knossos_precompile target)
  if(KNOSSOS_UNITS AND CMAKE_BUILD_TYPE MATCHES "^(Release|Debug)$")
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <atomic> <bit> <charconv> <cmath> <cstdint> <cstring>
      <filesystem> <functional> <limits> <map> <memory> <numeric> <optional> <set> <span> <stdexcept> <string>
      <string_view> <tuple> <unordered_map> <utility> <variant> <vector> <fmt/format.h> ${ARGN})
  endif()
endfunction()

# Link-time optimisation for the library: its engine rooms call each other in loops.
function(knossos_optimise_at_link target)
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND KNOSSOS_LTO AND KNOSSOS_IPO_SUPPORTED)
    set_target_properties(${target} PROPERTIES INTERPROCEDURAL_OPTIMIZATION ON)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # At this stage g++ 12 sees overflows in std::string and std::variant that are not there.
      target_link_options(${target} PRIVATE -flto=auto -Wno-stringop-overflow -Wno-stringop-overread -Wno-restrict
        -Wno-maybe-uninitialized)
    endif()
  endif()
endfunction()
