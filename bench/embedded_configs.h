// The configurations that a target of bench/bench.bzl brings with it.
#ifndef EARSHOT_BENCH_EMBEDDED_CONFIGS_H_
#define EARSHOT_BENCH_EMBEDDED_CONFIGS_H_

#include <string>
#include <vector>

namespace earshot {

struct EmbeddedConfig {
  const char* name;  // of its file: "bench/configs/lstm_ctc.textproto"
  const char* text;
};

// Generated from the textprotos.
const std::vector<EmbeddedConfig>& EmbeddedConfigs();

// Their file names, separated by commas.
inline std::string EmbeddedConfigNames() {
  std::string names;
  for (const EmbeddedConfig& config : EmbeddedConfigs())
    names += (names.empty() ? "" : ", ") + std::string(config.name);
  return names;
}

}  // namespace earshot

#endif  // EARSHOT_BENCH_EMBEDDED_CONFIGS_H_
