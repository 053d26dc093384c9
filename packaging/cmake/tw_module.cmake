# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)

add_library(tw_flags INTERFACE)
target_compile_options(tw_flags INTERFACE -Wall -Wextra -Wshadow -Wswitch)

# tw_add_module(<name> HEADERS … SOURCES … [DEPS …] [PRIVATE_DEPS …] [LIBS …])
#
# One static library `tw_<name>` (alias tw::<name>) with its own include root
# core/<name>/include, so that a module sees another's headers only when it names it.
# DEPS are public (a public header needs them), PRIVATE_DEPS are used by sources only,
# LIBS are third-party targets, always private.
function(tw_add_module name)
  cmake_parse_arguments(PARSE_ARGV 1 M "" "" "HEADERS;SOURCES;DEPS;PRIVATE_DEPS;LIBS")
  list(TRANSFORM M_DEPS PREPEND tw::)
  list(TRANSFORM M_PRIVATE_DEPS PREPEND tw::)
  set(root "${CMAKE_CURRENT_SOURCE_DIR}/include")
  if(M_SOURCES)
    add_library(tw_${name} STATIC ${M_SOURCES})
    target_link_libraries(tw_${name} PUBLIC ${M_DEPS} PRIVATE ${M_PRIVATE_DEPS} ${M_LIBS} tw_flags)
    if(M_HEADERS)
      target_sources(tw_${name} PUBLIC FILE_SET HEADERS BASE_DIRS "${root}" FILES ${M_HEADERS})
    else()
      target_include_directories(tw_${name} PUBLIC "${root}")
    endif()
  else()
    add_library(tw_${name} INTERFACE)
    target_link_libraries(tw_${name} INTERFACE ${M_DEPS})
    target_include_directories(tw_${name} INTERFACE "${root}")
  endif()
  add_library(tw::${name} ALIAS tw_${name})
endfunction()

# tw_add_test(<name> SOURCES … DEPS … [LIBS …] [LABELS …] [TIMEOUT s])
#
# One Qt Test executable (QTEST_GUILESS_MAIN or QTEST_MAIN in the source), registered with ctest.
function(tw_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 T "" "TIMEOUT" "SOURCES;DEPS;LIBS;LABELS")
  list(TRANSFORM T_DEPS PREPEND tw::)
  add_executable(${name} ${T_SOURCES})
  set_target_properties(${name} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}/tests/support")
  target_compile_definitions(${name} PRIVATE
    TW_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data" TW_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
    TW_BIN_DIR="${CMAKE_BINARY_DIR}/bin")
  target_link_libraries(${name} PRIVATE ${T_DEPS} ${T_LIBS} Qt6::Test tw_flags)
  add_test(NAME ${name} COMMAND ${name})
  if(NOT T_LABELS)
    set(T_LABELS unit)
  endif()
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 120)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${T_LABELS}" TIMEOUT ${T_TIMEOUT}
    ENVIRONMENT "QT_QPA_PLATFORM=offscreen")
endfunction()
