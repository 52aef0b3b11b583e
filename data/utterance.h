// One utterance as a corpus gives it, and one as the network sees it.
#ifndef EARSHOT_DATA_UTTERANCE_H_
#define EARSHOT_DATA_UTTERANCE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/tensor.h"

namespace earshot {

struct Utterance {
  std::string id;        // unique in its corpus
  std::string speaker;   // empty when unknown
  std::string text;      // words separated by single spaces; may be empty (silence)
  int sample_rate = 0;   // Hz
  std::vector<float> waveform;  // mono, in the scale of 16-bit integers (+-32768), as Kaldi's front end expects
  // Of a corpus that brings features in place of audio (feats.scp): [frames * feature_dims], frame by frame.
  std::vector<float> features;
  int feature_dims = 0;  // 0: features are made from the waveform
};

struct Example {
  std::string id;
  Tensor<float, 2> features;    // [frames, dimensions]
  std::vector<int32_t> labels;  // token ids (CTC), one class (last frame), or one class a frame
};

}  // namespace earshot

#endif  // EARSHOT_DATA_UTTERANCE_H_
