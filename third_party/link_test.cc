// Every library of third_party compiles, links and answers; but for gflags, which the programs use and whose macros
// OpenFst's clash with. oneDNN, netCDF, OpenFst, Google Benchmark and zlib have no other user yet: what the first one
// needs stays in order here.
#include <benchmark/benchmark.h>
#include <cblas.h>
#include <fst/fstlib.h>
#include <google/protobuf/util/json_util.h>
#include <hwy/targets.h>
#include <kissfft/kiss_fftr.h>
#include <netcdf.h>
#include <samplerate.h>
#include <sndfile.h>
#include <zlib.h>

#include <dnnl.hpp>

#include "absl/container/flat_hash_map.h"
#include "absl/random/random.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "third_party/link_test.pb.h"

namespace earshot {
namespace {

TEST(Link, Absl) {
  absl::StatusOr<int> s = absl::NotFoundError(absl::StrCat("a", 1));
  EXPECT_EQ(s.status().message(), "a1");
  absl::flat_hash_map<std::string, int> m = {{"x", 2}};
  EXPECT_EQ(m["x"], 2);
  absl::BitGen gen;
  EXPECT_LT(absl::Uniform(gen, 0, 10), 10);
  absl::Mutex mutex;
  absl::MutexLock lock(&mutex);
  EXPECT_EQ(absl::StrFormat("%.2f", 1.5), "1.50");
  EXPECT_GT(absl::Now(), absl::UnixEpoch());
}

TEST(Link, Protobuf) {
  LinkMessage m;
  m.set_x(3);
  std::string json;
  ASSERT_TRUE(google::protobuf::util::MessageToJsonString(m, &json).ok());
  EXPECT_EQ(json, "{\"x\":3}");
}

TEST(Link, Others) {
  const float a[] = {1, 2, 3, 4};
  float c[4];
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 2, 2, 2, 1, a, 2, a, 2, 0, c, 2);
  EXPECT_THAT(c, testing::ElementsAre(7, 10, 15, 22));
  EXPECT_NE(std::string(sf_version_string()), "");
  EXPECT_NE(std::string(src_get_version()), "");
  EXPECT_NE(std::string(nc_inq_libvers()), "");
  EXPECT_NE(std::string(zlibVersion()), "");
  kiss_fftr_cfg cfg = kiss_fftr_alloc(16, 0, nullptr, nullptr);
  EXPECT_NE(cfg, nullptr);
  kiss_fftr_free(cfg);
  EXPECT_GT(benchmark::CPUInfo::Get().num_cpus, 0);
  EXPECT_EQ(dnnl_version()->major, 2);
  EXPECT_NE(hwy::SupportedTargets(), 0u);
  fst::StdVectorFst f;
  f.AddState();
  EXPECT_EQ(f.NumStates(), 1);
}

}  // namespace
}  // namespace earshot
