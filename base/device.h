// Where a model lives.
#ifndef EARSHOT_BASE_DEVICE_H_
#define EARSHOT_BASE_DEVICE_H_

namespace earshot {

enum class Device { kCpu, kCuda };

inline const char* DeviceName(Device device) { return device == Device::kCpu ? "cpu" : "cuda"; }

}  // namespace earshot

#endif  // EARSHOT_BASE_DEVICE_H_
