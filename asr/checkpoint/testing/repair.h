// Mends changed files so that what was changed is read, and not only the length or checksum in front of it.
#ifndef EARSHOT_ASR_CHECKPOINT_TESTING_REPAIR_H_
#define EARSHOT_ASR_CHECKPOINT_TESTING_REPAIR_H_

#include <string>

namespace earshot {

// Makes the header as long as its JSON object with the spaces after it.
void RepairSafetensors(std::string* content);

// The same, then the CRC-32C of a checkpoint.
void RepairCheckpoint(std::string* content);

}  // namespace earshot

#endif  // EARSHOT_ASR_CHECKPOINT_TESTING_REPAIR_H_
