// The synthetic catalogue, as far as server and client have to agree on it. The project's server is
// given the same one as a file, which `onside-catalogue generate` writes.

#ifndef BENCHMARKS_GRPC_CATALOGUE_H
#define BENCHMARKS_GRPC_CATALOGUE_H

#include <cstdio>
#include <string>

enum class Kind { kConsumable, kNonConsumable, kSubscription };

// 60 % consumables, 25 % non-consumables, 15 % subscriptions.
inline Kind KindOfItem(int index) {
  const int place = index % 20;
  if (place < 12) return Kind::kConsumable;
  return place < 17 ? Kind::kNonConsumable : Kind::kSubscription;
}

inline std::string NumberedName(const std::string& prefix, int number) {
  char digits[16];
  std::snprintf(digits, sizeof digits, "%07d", number);
  return prefix + digits;
}

inline std::string ItemIdentifier(int index) {
  return NumberedName("com.example.shop.item.", index);
}

// An identifier of the same length that no catalogue has.
inline std::string UnknownIdentifier(int number) {
  return NumberedName("com.example.shop.gone.", number);
}

#endif
