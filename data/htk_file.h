// HTK's feature files (HTK Book 3.4, section 5.10): 12 bytes of header and a row of numbers a frame, all big-endian.
#ifndef EARSHOT_DATA_HTK_FILE_H_
#define EARSHOT_DATA_HTK_FILE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/tensor.h"

namespace earshot {

// Kinds of features and what qualifies them: a kind is one base kind and any number of qualifiers.
constexpr uint16_t kHtkMfcc = 6;
constexpr uint16_t kHtkFbank = 7;  // log filterbank
constexpr uint16_t kHtkUser = 9;
constexpr uint16_t kHtkBaseKinds = 0x3f;
constexpr uint16_t kHtkEnergy = 0x40;              // _E
constexpr uint16_t kHtkNoAbsoluteEnergy = 0x80;    // _N
constexpr uint16_t kHtkDeltas = 0x100;             // _D
constexpr uint16_t kHtkAccelerations = 0x200;      // _A
constexpr uint16_t kHtkCompressed = 0x400;         // _C
constexpr uint16_t kHtkZeroMean = 0x800;           // _Z
constexpr uint16_t kHtkChecksum = 0x1000;          // _K
constexpr uint16_t kHtkZerothCepstrum = 0x2000;    // _0
constexpr uint16_t kHtkVectorQuantized = 0x4000;   // _V
constexpr uint16_t kHtkThirdDifferences = 0x8000;  // _T

struct HtkFeatures {
  Tensor<float, 2> features;     // [frames, dimensions], in the order of the file: HTK's, energy and C0 behind the rest
  uint16_t kind = kHtkUser;      // as the file has it, with _C and _K
  int32_t frame_shift = 100000;  // in units of 100 ns
};

// "MFCC_D_A_0".
std::string HtkKindName(uint16_t kind);

// A file's content. All kinds of floats (LPC, LPREFC, LPCEPSTRA, LPDELCEP, MFCC, FBANK, MELSPEC, USER, PLP, ANON) with
// any qualifiers; IREFC and _C, which are 16-bit integers, are turned into floats; the two bytes of a checksum (_K) are
// skipped, not verified. WAVEFORM (audio), DISCRETE and _V (indices) are refused by name. The size of the file must be
// the header's: a file in the other byte order does not pass. Errors: "NAME: byte N: expected X, found Y".
absl::StatusOr<HtkFeatures> DecodeHtk(absl::string_view content, absl::string_view name);

// Whether `content`, the first bytes of a file of `file_bytes`, is a header of features that says just this size.
bool LooksLikeHtk(absl::string_view content, int64_t file_bytes);

// The same from a file.
absl::StatusOr<HtkFeatures> ReadHtk(const std::string& path);

// A file's content with floats. `kind` is one of floats without _C and _K, which `kind` may not have; dimensions at
// most 8191: the header holds no more.
absl::StatusOr<std::string> EncodeHtk(TensorView<const float, 2> features, uint16_t kind, int32_t frame_shift);

}  // namespace earshot

#endif  // EARSHOT_DATA_HTK_FILE_H_
