#include "asr/checkpoint/param_names.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "lstm/lstm_params.h"

namespace earshot {
namespace {

LstmLevelConfig Level(int input, int hidden, int directions, bool extras = false) {
  LstmLevelConfig c;
  c.input_size = input;
  c.hidden_size = hidden;
  c.directions = directions;
  c.peepholes = c.trainable_initial_state = extras;
  return c;
}

// Names and shapes as torch.nn.LSTM(3, 2, num_layers=2, bidirectional=True).state_dict() has them.
TEST(ParamNamesTest, BidirectionalStackAsInPyTorch) {
  const LstmLevelConfig levels[] = {Level(3, 2, 2), Level(4, 2, 2)};
  const std::vector<ParamTensor> layout = ParamTensors(levels, 5, true);
  const std::vector<std::pair<std::string, std::vector<int64_t>>> expected = {{"lstm.weight_ih_l0", {8, 3}},
                                                                              {"lstm.weight_hh_l0", {8, 2}},
                                                                              {"lstm.bias_ih_l0", {8}},
                                                                              {"lstm.weight_ih_l0_reverse", {8, 3}},
                                                                              {"lstm.weight_hh_l0_reverse", {8, 2}},
                                                                              {"lstm.bias_ih_l0_reverse", {8}},
                                                                              {"lstm.weight_ih_l1", {8, 4}},
                                                                              {"lstm.weight_hh_l1", {8, 2}},
                                                                              {"lstm.bias_ih_l1", {8}},
                                                                              {"lstm.weight_ih_l1_reverse", {8, 4}},
                                                                              {"lstm.weight_hh_l1_reverse", {8, 2}},
                                                                              {"lstm.bias_ih_l1_reverse", {8}},
                                                                              {"output.weight", {5, 4}},
                                                                              {"output.bias", {5}}};
  ASSERT_EQ(layout.size(), expected.size());
  int64_t offset = 0;
  for (size_t i = 0; i < layout.size(); ++i) {
    EXPECT_EQ(layout[i].name, expected[i].first);
    EXPECT_EQ(layout[i].shape, expected[i].second) << layout[i].name;
    EXPECT_EQ(layout[i].offset, offset) << layout[i].name;
    offset += layout[i].size;
  }
  EXPECT_EQ(offset, 2 * (8 * 3 + 8 * 2 + 8) + 2 * (8 * 4 + 8 * 2 + 8) + 5 * 4 + 5);
}

// Offsets agree with the pointers that the implementations use.
TEST(ParamNamesTest, OffsetsAreThoseOfLstmParams) {
  const LstmLevelConfig level = Level(3, 2, 2, true);
  std::vector<float> params(LstmParamsSize(level));
  const auto p = LstmDirection<float>(level, absl::MakeSpan(params), 1);
  const std::vector<ParamTensor> layout = ParamTensors({&level, 1}, 4, false);
  const auto at = [&](absl::string_view name) -> const float* {
    for (const ParamTensor& t : layout) {
      if (t.name == name) return params.data() + t.offset;
    }
    return nullptr;
  };
  EXPECT_EQ(at("lstm.weight_ih_l0_reverse"), p.w_ih.data());
  EXPECT_EQ(at("lstm.weight_hh_l0_reverse"), p.w_hh.data());
  EXPECT_EQ(at("lstm.bias_ih_l0_reverse"), p.bias);
  EXPECT_EQ(at("lstm.peephole_i_l0_reverse"), p.w_ci);
  EXPECT_EQ(at("lstm.peephole_f_l0_reverse"), p.w_cf);
  EXPECT_EQ(at("lstm.peephole_o_l0_reverse"), p.w_co);
  EXPECT_EQ(at("lstm.h0_l0_reverse"), p.h0);
  EXPECT_EQ(at("lstm.c0_l0_reverse"), p.c0);
  EXPECT_EQ(layout.back().name, "output.weight");
  EXPECT_EQ(layout.back().shape, (std::vector<int64_t>{4, 4}));
}

class ParamRoundTripTest : public testing::Test {
 protected:
  ParamRoundTripTest() : flat_(layout_.back().offset + layout_.back().size), back_(flat_.size()) {
    std::iota(flat_.begin(), flat_.end(), 1.0f);
    flat_[4 * 2 * 5] = -0.0f;  // bias_ih_l0[0]
    AddParams(flat_, layout_, "", &checkpoint_);
  }

  std::string ReadError() { return std::string(ReadParams(checkpoint_, layout_, "", absl::MakeSpan(back_)).message()); }

  const LstmLevelConfig level_ = Level(3, 2, 1);
  const std::vector<ParamTensor> layout_ = ParamTensors({&level_, 1}, 2, true);
  std::vector<float> flat_, back_;
  Checkpoint checkpoint_;
};

TEST_F(ParamRoundTripTest, KeepsEveryBit) {
  AddParams(flat_, layout_, "optimizer.m.", &checkpoint_);
  EXPECT_EQ(checkpoint_.tensors.size(), 6u + 5u);
  EXPECT_EQ(checkpoint_.tensors.at("lstm.bias_hh_l0").values, std::vector<float>(8));
  EXPECT_EQ(checkpoint_.tensors.at("lstm.weight_ih_l0").values[3], 4.0f);
  for (const char* prefix : {"", "optimizer.m."}) {
    std::fill(back_.begin(), back_.end(), 0.0f);
    const absl::Status status = ReadParams(checkpoint_, layout_, prefix, absl::MakeSpan(back_));
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_EQ(std::memcmp(flat_.data(), back_.data(), 4 * flat_.size()), 0) << prefix;
  }
}

TEST_F(ParamRoundTripTest, SecondBiasOfPyTorchIsAdded) {
  checkpoint_.tensors["lstm.bias_hh_l0"].values[2] = 0.25f;
  ASSERT_EQ(ReadError(), "");
  EXPECT_EQ(back_[42], flat_[42] + 0.25f);
  EXPECT_EQ(back_[43], flat_[43]);
  checkpoint_.tensors.erase("lstm.bias_hh_l0");
  EXPECT_EQ(ReadError(), "");
  EXPECT_EQ(back_[42], flat_[42]);
}

TEST_F(ParamRoundTripTest, OtherNetworksAreRefused) {
  checkpoint_.tensors["lstm.weight_ih_l0"].shape = {8, 4};
  EXPECT_EQ(ReadError(), "tensor \"lstm.weight_ih_l0\": expected shape [8,3], found [8,4]");
  checkpoint_.tensors["lstm.weight_ih_l0"].shape = {8, 3};
  checkpoint_.tensors["lstm.weight_ih_l1"] = {{8, 2}, std::vector<float>(16)};
  EXPECT_EQ(ReadError(), "tensor \"lstm.weight_ih_l1\": expected no such tensor in this network, found [8,2]");
  checkpoint_.tensors.erase("lstm.weight_ih_l1");
  checkpoint_.tensors.erase("output.bias");
  EXPECT_EQ(ReadError(), "tensor \"output.bias\": expected shape [2], found no such tensor");
}

}  // namespace
}  // namespace earshot
