# SPDX-License-Identifier: Apache-2.0
# Removes the files that the install manifests of this build name.
file(GLOB manifests "${CMAKE_CURRENT_BINARY_DIR}/install_manifest*.txt")
foreach(manifest ${manifests})
  file(STRINGS "${manifest}" files)
  foreach(name ${files})
    if(EXISTS "$ENV{DESTDIR}${name}" OR IS_SYMLINK "$ENV{DESTDIR}${name}")
      message(STATUS "Removing $ENV{DESTDIR}${name}")
      file(REMOVE "$ENV{DESTDIR}${name}")
    endif()
  endforeach()
endforeach()
