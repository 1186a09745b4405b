# The fuzzers: every folder of corpus/ names one, whose source is NAME.cpp.
file(GLOB KNOSSOS_FUZZERS CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_LIST_DIR}/corpus" "${CMAKE_CURRENT_LIST_DIR}/corpus/*")
if(NOT TARGET knossos_studio)
  list(REMOVE_ITEM KNOSSOS_FUZZERS api frames)
endif()

# knossos_fuzzer(TARGET SOURCE...): what fuzzers and replays of their corpora have in common.
function(knossos_fuzzer target)
  add_executable(${target} ${ARGN})
  target_link_libraries(${target} PRIVATE knossos::knossos nlohmann_json::nlohmann_json SQLite::SQLite3)
  if(TARGET knossos_studio)
    target_link_libraries(${target} PRIVATE knossos_studio)
  endif()
  knossos_flags(${target})
endfunction()
