# Replaces the sources by units that include several files each, so that headers are read, and templates made, once for all
# of them. Put together are files of one kind: those that are not hot (KNOSSOS_COLD), of whatever room, apart from those
# that are; and of them those that read JSON, whose library takes longer than anything else. As WebAssembly only what is
# hot is compiled for speed at all, and is apart from the rest of its room.
#
# Alone stay files that Highway compiles several times and, in release builds, the engine's: what is inlined where depends
# on what stands beside it, and in units they took up to 3.5 % more instructions. Of the core, that is not so for what
# handles texts and files.
set(most 90000) # bytes of a unit: the processors should have several to share

set(alone)
set(kinds)
foreach(source IN LISTS KNOSSOS_SOURCES)
  file(STRINGS "${source}" by_highway REGEX "foreach_target.h" LIMIT_COUNT 1)
  file(STRINGS "${source}" reads_json REGEX "#include .*json(_input)?\\.hpp[>\"]" LIMIT_COUNT 1)
  if(by_highway)
    list(APPEND KNOSSOS_BY_HIGHWAY "${source}")
  endif()
  cmake_path(GET source PARENT_PATH room)
  cmake_path(GET room FILENAME room)
  if(by_highway OR source MATCHES "/src/run/compiled_" # long ones, with options of their own
     OR (EMSCRIPTEN AND source MATCHES "${KNOSSOS_HOTTEST}")
     OR (CMAKE_BUILD_TYPE STREQUAL "Release" AND source MATCHES "/src/(core|operators|algorithms)/"
         AND NOT source MATCHES "/src/core/(faults|fields|files|memory|text|toml_depth|values)\\.cpp$"))
    list(APPEND alone "${source}")
    continue()
  elseif(EMSCRIPTEN AND source MATCHES "${KNOSSOS_HOT}")
    set(kind hot_${room})
  elseif(source MATCHES "${KNOSSOS_HOT}" OR NOT source MATCHES "${KNOSSOS_COLD}")
    set(kind ${room})
  elseif(reads_json)
    set(kind cold_json)
  else()
    set(kind cold)
  endif()
  # The next unit of this kind where the last one is full.
  if(NOT kind IN_LIST kinds)
    list(APPEND kinds ${kind})
    set(number_${kind} 0)
    set(bytes_${kind} 0)
  endif()
  set(limit ${most})
  if(kind STREQUAL "cold_json")
    set(limit 130000) # what its library takes comes once a unit
  endif()
  file(SIZE "${source}" bytes)
  math(EXPR bytes_${kind} "${bytes_${kind}} + ${bytes}")
  if(bytes_${kind} GREATER limit AND NOT bytes_${kind} EQUAL bytes)
    math(EXPR number_${kind} "${number_${kind}} + 1")
    set(bytes_${kind} ${bytes})
  endif()
  set(unit ${kind}_${number_${kind}})
  list(APPEND units ${unit})
  string(APPEND text_${unit} "#include \"${source}\"\n")
endforeach()
list(REMOVE_DUPLICATES units)
set(KNOSSOS_SOURCES ${alone})
foreach(unit IN LISTS units)
  set(file "${CMAKE_CURRENT_BINARY_DIR}/units/${unit}.cpp")
  file(CONFIGURE OUTPUT "${file}" CONTENT "${text_${unit}}" @ONLY)
  list(PREPEND KNOSSOS_SOURCES "${file}") # in front: they take the longest
endforeach()
