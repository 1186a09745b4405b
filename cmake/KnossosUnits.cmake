# Replaces the sources by units that include several files of a room each, so that headers are read once for all of them.
# Apart stay those that Highway compiles several times, and those that are not hot from those that are: see KNOSSOS_COLD.
# In release builds the hot rooms are compiled file by file: what is inlined where depends on what stands beside it, and a
# unit's code took up to 4 % more instructions. Of the core, that is not so for what handles texts and files.
set(most 7) # files in a unit: the processors should have several to share
set(sources)
foreach(source IN LISTS KNOSSOS_SOURCES)
  file(STRINGS "${source}" by_highway REGEX "foreach_target.h" LIMIT_COUNT 1)
  cmake_path(GET source PARENT_PATH room)
  cmake_path(RELATIVE_PATH room BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/src")
  string(REPLACE "/" "_" room "${room}")
  if(source MATCHES "${KNOSSOS_COLD}")
    list(APPEND unit_cold_${room} "${source}")
    list(APPEND units cold_${room})
  elseif(by_highway OR source MATCHES "/src/recipe/registered_" # long ones, with options of their own
     OR (CMAKE_BUILD_TYPE STREQUAL "Release" AND room MATCHES "^(core|operators|algorithms|queens|armies|dungeon|maze|classic)$"
         AND NOT source MATCHES "/src/core/(faults|fields|files|memory|text|toml_depth|values)\\.cpp$"))
    list(APPEND sources "${source}")
  else()
    list(APPEND unit_${room} "${source}")
    list(APPEND units ${room})
  endif()
endforeach()
list(REMOVE_DUPLICATES units)
foreach(unit IN LISTS units)
  list(LENGTH unit_${unit} files)
  math(EXPR last "(${files} - 1) / ${most}")
  foreach(number RANGE ${last})
    math(EXPR first "${number} * ${most}")
    list(SUBLIST unit_${unit} ${first} ${most} some)
    list(TRANSFORM some REPLACE "(.+)" "#include \"\\1\"\n")
    list(JOIN some "" text)
    set(file "${CMAKE_CURRENT_BINARY_DIR}/units/${unit}_${number}.cpp")
    file(CONFIGURE OUTPUT "${file}" CONTENT "${text}" @ONLY)
    list(APPEND sources "${file}")
  endforeach()
endforeach()
set(KNOSSOS_SOURCES ${sources})
