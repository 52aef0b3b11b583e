// Recordings that tests want but the tree does not hold (their size, their licences).
#ifndef EARSHOT_BASE_TESTING_SHARED_DATA_H_
#define EARSHOT_BASE_TESTING_SHARED_DATA_H_

#include <cstdlib>
#include <iostream>

namespace earshot {

// The folder that EARSHOT_DATA names: fsdd/, an4/, htk/, odd/ lie in it. Null without one, and then a line says that
// `test` is skipped; a folder that is named but lacks what the test wants must fail the test.
inline const char* SharedData(const char* test) {
  const char* folder = std::getenv("EARSHOT_DATA");
  if (folder != nullptr && *folder != '\0') return folder;
  std::cout << "SKIPPED: " << test << ": needs EARSHOT_DATA" << std::endl;
  return nullptr;
}

}  // namespace earshot

#endif  // EARSHOT_BASE_TESTING_SHARED_DATA_H_
