// A warm training step allocates nothing on the heap. What oneDNN does inside of its own calls is its own affair.
#include <gtest/gtest.h>
#include <link.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "asr/testing/batches.h"
#include "asr/train_step.h"
#include "lstm/rows_here.h"

namespace {

std::atomic<int64_t> allocations{0}, allocated_bytes{0};

struct Range {
  uintptr_t begin = 0, end = 0;  // of addresses
};

// Where oneDNN lies in memory.
Range FindOnednn() {
  Range range;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* out) {
        if (std::strstr(info->dlpi_name, "/libdnnl.so") == nullptr) return 0;
        auto* found = static_cast<Range*>(out);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& part = info->dlpi_phdr[i];
          if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
          *found = {info->dlpi_addr + part.p_vaddr, info->dlpi_addr + part.p_vaddr + part.p_memsz};
        }
        return 1;
      },
      &range);
  return range;
}
const Range onednn = FindOnednn();

void* Allocate(std::size_t size, std::size_t alignment, void* caller) {
  const auto from = reinterpret_cast<uintptr_t>(caller);
  if (from < onednn.begin || from >= onednn.end) ++allocations;
  allocated_bytes += size;
  void* p = std::aligned_alloc(alignment, (size + alignment) / alignment * alignment);
  if (p == nullptr) std::abort();
  return p;
}

}  // namespace

void* operator new(std::size_t size) { return Allocate(size, alignof(std::max_align_t), __builtin_return_address(0)); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return Allocate(size, alignof(std::max_align_t), __builtin_return_address(0));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return Allocate(size, static_cast<std::size_t>(alignment), __builtin_return_address(0));
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace earshot {
namespace {

TEST(TrainStepAllocationTest, WarmStepsAllocateNothing) {
  constexpr int kInput = 20, kClasses = 7, kWarmSteps = 40;
  ThreadPool pool(2);
  for (const LstmImplementation& implementation : RowsHere()) {
    for (LossConfig::Kind kind : {LossConfig::CTC, LossConfig::CROSS_ENTROPY_LAST_FRAME}) {
      TrainConfig config;
      LstmConfig* lstm = config.mutable_model()->mutable_lstm();
      lstm->set_num_levels(2);
      lstm->set_hidden_size(33);
      lstm->set_bidirectional(true);
      lstm->set_dropout(0.5f);
      lstm->set_recurrent_dropout(0.1f);
      lstm->set_implementation(std::string(implementation.name));
      config.mutable_loss()->set_kind(kind);
      auto step = TrainStep::Create(config, kInput, kClasses, &pool);
      ASSERT_TRUE(step.ok()) << step.status();
      (*step)->model().Initialize(1);
      const bool ctc = kind == LossConfig::CTC;
      const std::vector<std::vector<int32_t>> labels = {
          ctc ? std::vector<int32_t>{1, 2, 2} : std::vector<int32_t>{1}, {3}, {4}};
      std::vector<Batch> batches;
      for (int32_t longest : {30, 50, 41}) batches.push_back(RandomBatch({longest, 29, 12}, kInput, labels, longest));
      int64_t warm = 0;
      for (int k = 0; k < 6 + kWarmSteps; ++k) {
        const int64_t before = allocations.load();
        ASSERT_TRUE((*step)->Run(batches[k % 3], 1e-3f, k).ok());
        if (k >= 6) warm += allocations.load() - before;
      }
      EXPECT_EQ(warm, 0) << implementation.name << ", " << LossConfig::Kind_Name(kind) << ": " << kWarmSteps
                         << " steps";
    }
  }
  EXPECT_GT(allocations.load(), 100);  // they are counted
  EXPECT_GT(onednn.end, onednn.begin);
}

// The gradients by outputs and by inputs change places from level to level; one level has no use for the second.
TEST(TrainStepAllocationTest, SecondStepTakesNoMatrix) {
  constexpr int kInput = 3, kHidden = 33, kFrames = 2000;
  ThreadPool pool(1);
  for (int levels : {1, 2}) {
    TrainConfig config;
    LstmConfig* lstm = config.mutable_model()->mutable_lstm();
    lstm->set_num_levels(levels);
    lstm->set_hidden_size(kHidden);
    config.mutable_loss()->set_kind(LossConfig::CROSS_ENTROPY_LAST_FRAME);
    auto step = TrainStep::Create(config, kInput, 2, &pool);
    ASSERT_TRUE(step.ok()) << step.status();
    (*step)->model().Initialize(1);
    const Batch batch = RandomBatch({kFrames / 2, kFrames / 2}, kInput, {{0}, {1}}, 1);
    int64_t bytes[2];  // of the first and of the second step
    for (int64_t& taken : bytes) {
      const int64_t before = allocated_bytes.load();
      ASSERT_TRUE((*step)->Run(batch, 1e-3f, 0).ok());
      taken = allocated_bytes.load() - before;
    }
    constexpr int64_t kMatrix = int64_t{sizeof(float)} * kFrames * kHidden;
    EXPECT_GT(bytes[0], 4 * kMatrix) << levels << " levels";
    EXPECT_LT(bytes[1], kMatrix) << levels << " levels";
  }
}

}  // namespace
}  // namespace earshot
