// Where an utterance comes from: one entry of a Kaldi data directory, a manifest or a corpus folder, whichever it was
// read from. All readers of such lists give it, all writers take it, FileDataset opens it.
#ifndef EARSHOT_DATA_UTTERANCE_SOURCE_H_
#define EARSHOT_DATA_UTTERANCE_SOURCE_H_

#include <string>

namespace earshot {

struct UtteranceSource {
  std::string id;       // unique in its list, without white space
  std::string speaker;  // empty when unknown
  std::string text;     // words separated by single spaces; may be empty

  // The recording, read by data/audio_file.h; "-": standard input; empty when there are only features.
  std::string audio;
  bool audio_is_command = false;  // `audio` is a shell command that writes the file to its stdout (Kaldi's "cmd |")
  std::string recording;          // the recording's id in its list; empty: the utterance's own
  int channel = -1;               // counted from 0; -1: the mean of all
  double begin_seconds = 0;       // of the utterance in the recording
  double end_seconds = -1;        // exclusive; -1: to the end
  // Of the utterance, in seconds, when the list states it (utt2dur, "duration"); -1 when not. Nothing is cut by it.
  double duration_seconds = -1;

  // Ready-made features as Kaldi's scp files name them: "file.ark:1234[0:99]"; empty: made from the audio.
  std::string features;
  bool features_is_command = false;  // `features` is a shell command that writes the matrix to its stdout
};

}  // namespace earshot

#endif  // EARSHOT_DATA_UTTERANCE_SOURCE_H_
