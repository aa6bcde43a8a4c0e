# SPDX-License-Identifier: Apache-2.0
# cmake -D PREFIX=<prefix> -D BIN=… -D MAN=… -D DATA=… -D DOC=<folders below it> -P installed_files.cmake: what is installed besides
# the package, and that links between documents lead to installed files.
foreach(file IN ITEMS ${BIN}/heddle ${MAN}/man1/heddle.1 ${DATA}/bash-completion/completions/heddle ${DATA}/zsh/site-functions/_heddle
    ${DATA}/fish/vendor_completions.d/heddle.fish ${DOC}/README.md ${DOC}/CHANGELOG.md ${DOC}/LICENSE ${DOC}/LICENSE.recorded-jobs ${DOC}/docs/model.md
    ${DOC}/examples/CMakeLists.txt)
  if(NOT EXISTS ${PREFIX}/${file})
    message(SEND_ERROR "${file} is not installed")
  endif()
endforeach()

set(links 0)
file(GLOB_RECURSE documents ${PREFIX}/${DOC}/*.md)
foreach(document IN LISTS documents)
  cmake_path(GET document PARENT_PATH folder)
  file(READ ${document} text)
  string(REPLACE "](" "@to " text "${text}")
  string(REGEX REPLACE "[][;]" "" text "${text}")  # these mean something in a list of CMake's
  string(REGEX MATCHALL "@to [^)#: ]+" found "${text}")
  foreach(link IN LISTS found)
    string(REPLACE "@to " "" target "${link}")
    if(target MATCHES "^https?$" OR target MATCHES "^(\\.\\./)?tests/")
      continue()  # the network's, or a source that only the repository has
    endif()
    math(EXPR links "${links} + 1")
    if(NOT EXISTS ${folder}/${target})
      message(SEND_ERROR "${document} links to ${target}, which is not installed")
    endif()
  endforeach()
endforeach()
if(links LESS 20)
  message(SEND_ERROR "only ${links} links found in ${PREFIX}/${DOC}")
endif()
