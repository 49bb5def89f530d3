// Session creation and product filtering as an ordinary gRPC C++ service.
//
// Callback API with messages on arenas, gRPC's own choice of threads and channel settings, TLS 1.3.
// Everything is kept in memory.

#include <getopt.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/support/message_allocator.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>

#include "catalogue.h"
#include "peer.grpc.pb.h"
#include "tls_policy.h"

namespace {

[[noreturn]] void Die(const std::string& reason) {
  std::cerr << reason << "\n";
  std::exit(1);
}

// ---- Small tools ------------------------------------------------------------------------------

// Random bytes, fetched from OpenSSL in blocks.
class RandomBytes {
 public:
  // The bytes are valid until the next call.
  const unsigned char* Take(size_t count) {
    if (position_ + count > sizeof block_) {
      if (RAND_bytes(block_, sizeof block_) != 1) Die("no random bytes");
      position_ = 0;
    }
    const unsigned char* taken = block_ + position_;
    position_ += count;
    return taken;
  }

  static RandomBytes& OfThisThread() {
    thread_local RandomBytes source;
    return source;
  }

 private:
  unsigned char block_[4096];
  size_t position_ = sizeof block_;
};

void AppendHex(const unsigned char* bytes, size_t size, std::string* text) {
  static const char kDigits[] = "0123456789abcdef";
  for (size_t i = 0; i < size; i++) {
    text->push_back(kDigits[bytes[i] >> 4]);
    text->push_back(kDigits[bytes[i] & 15]);
  }
}

// Without padding.
void AppendBase64Url(const unsigned char* bytes, size_t size, std::string* text) {
  static const char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  unsigned bits = 0;
  int bit_count = 0;
  for (size_t i = 0; i < size; i++) {
    bits = bits << 8 | bytes[i];
    for (bit_count += 8; bit_count >= 6; bit_count -= 6) {
      text->push_back(kDigits[bits >> (bit_count - 6) & 63]);
    }
  }
  if (bit_count > 0) text->push_back(kDigits[bits << (6 - bit_count) & 63]);
}

int64_t NowMs() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

// ---- Sessions ---------------------------------------------------------------------------------

using ProfileId = std::array<unsigned char, 16>;

struct Profile {
  ProfileId id;
  const char* storefront_country;
};

// The profiles of all apps. One external identifier in two apps is two profiles.
class ProfileStore {
 public:
  // Returns the profile, and whether it was made by this call.
  std::pair<Profile, bool> FindOrInsert(const std::string& app, const std::string& user) {
    thread_local std::string key;
    key.assign(app).push_back('\0');
    key.append(user);

    Shard& shard = shards_[std::hash<std::string>()(key) % kShards];
    std::lock_guard<std::mutex> lock(shard.mutex);
    const auto found = shard.profiles.find(key);
    if (found != shard.profiles.end()) return {found->second, false};
    const Profile made = MakeProfile();
    shard.profiles.emplace(key, made);
    return {made, true};
  }

 private:
  static constexpr size_t kShards = 64;

  struct alignas(64) Shard {
    std::mutex mutex;
    std::unordered_map<std::string, Profile> profiles;
  };

  static Profile MakeProfile() {
    static const char* const kCountries[] = {"DEU", "FRA", "ITA", "ESP"};
    Profile profile;
    std::memcpy(profile.id.data(), RandomBytes::OfThisThread().Take(profile.id.size()),
                profile.id.size());
    profile.storefront_country = kCountries[profile.id[0] % 4];
    return profile;
  }

  std::array<Shard, kShards> shards_;
};

// Makes session tokens that any holder of the key can verify without a look-up:
// base64url(profile id (16) | expiry in ms (8, big-endian) | random (8) | HMAC-SHA256 of these).
class TokenSealer {
 public:
  TokenSealer() {
    unsigned char key[32];
    if (RAND_bytes(key, sizeof key) != 1) Die("no random key");
    char digest[] = "SHA256";
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string("digest", digest, 0), OSSL_PARAM_construct_end()};
    EVP_MAC* hmac = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
    keyed_ = EVP_MAC_CTX_new(hmac);
    EVP_MAC_free(hmac);  // the context holds a reference
    if (EVP_MAC_init(keyed_, key, sizeof key, parameters) != 1) Die("no HMAC");
  }

  void Seal(const ProfileId& profile, int64_t expires_at_ms, std::string* token) const {
    unsigned char sealed[kPayloadBytes + kTagBytes];
    std::memcpy(sealed, profile.data(), 16);
    const uint64_t expiry = __builtin_bswap64(static_cast<uint64_t>(expires_at_ms));
    std::memcpy(sealed + 16, &expiry, 8);
    std::memcpy(sealed + 24, RandomBytes::OfThisThread().Take(8), 8);

    EVP_MAC_CTX* mac = ContextOfThisThread();
    size_t tag_size = 0;
    if (EVP_MAC_init(mac, nullptr, 0, nullptr) != 1 ||  // the same key again
        EVP_MAC_update(mac, sealed, kPayloadBytes) != 1 ||
        EVP_MAC_final(mac, sealed + kPayloadBytes, &tag_size, kTagBytes) != 1) {
      Die("sealing a token failed");
    }
    token->clear();
    token->reserve(kTokenLength);
    AppendBase64Url(sealed, sizeof sealed, token);
  }

 private:
  static constexpr size_t kPayloadBytes = 32;
  static constexpr size_t kTagBytes = 32;
  static constexpr size_t kTokenLength = 86;

  // A keyed copy for each thread: fetching the algorithm and setting the key happen once.
  EVP_MAC_CTX* ContextOfThisThread() const {
    struct Free {
      void operator()(EVP_MAC_CTX* context) const { EVP_MAC_CTX_free(context); }
    };
    thread_local std::unique_ptr<EVP_MAC_CTX, Free> context(EVP_MAC_CTX_dup(keyed_));
    return context.get();
  }

  EVP_MAC_CTX* keyed_;
};

// ---- Products ---------------------------------------------------------------------------------

class Catalogue {
 public:
  struct Entry {
    Kind kind;
    peer::Product product;
  };

  explicit Catalogue(int size) {
    entries_.reserve(size);
    for (int index = 0; index < size; index++) {
      entries_.emplace(ItemIdentifier(index), MakeEntry(index));
    }
  }

  // Null if there is no such product.
  const Entry* Find(const std::string& identifier) const {
    const auto found = entries_.find(identifier);
    return found == entries_.end() ? nullptr : &found->second;
  }

 private:
  static Entry MakeEntry(int index) {
    Entry entry{KindOfItem(index), {}};
    peer::Product& product = entry.product;
    product.set_product_identifier(ItemIdentifier(index));
    product.set_title(NumberedName("Shop item no ", index));
    product.set_description(NumberedName(
        "Everything that you could wish for, in one small box, and it is item no ", index));
    product.set_price_minor(99 + 100 * (index % 50));
    product.set_currency("EUR");
    switch (entry.kind) {
      case Kind::kConsumable:
        product.set_kind("consumable");
        break;
      case Kind::kNonConsumable:
        product.set_kind("non-consumable");
        break;
      case Kind::kSubscription:
        product.set_kind("subscription");
        product.set_subscription_group("shop.premium");
        product.set_period("P1M");
        break;
    }
    return entry;
  }

  std::unordered_map<std::string, Entry> entries_;
};

// ---- The service ------------------------------------------------------------------------------

class PeerService final : public peer::Peer::CallbackService {
 public:
  explicit PeerService(int products) : catalogue_(products) {}

  grpc::ServerUnaryReactor* CreateSession(grpc::CallbackServerContext* context,
                                          const peer::CreateSessionRequest* request,
                                          peer::CreateSessionResponse* response) override {
    grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
    if (request->app_id().empty() || request->external_user_id().empty()) {
      reactor->Finish({grpc::StatusCode::INVALID_ARGUMENT, "empty identifier"});
      return reactor;
    }
    const auto [profile, created] =
        profiles_.FindOrInsert(request->app_id(), request->external_user_id());
    const int64_t expires_at_ms = NowMs() + kSessionMs;
    sealer_.Seal(profile.id, expires_at_ms, response->mutable_session_token());
    AppendHex(profile.id.data(), profile.id.size(), response->mutable_profile_id());
    response->set_created(created);
    response->set_expires_at_ms(expires_at_ms);
    response->set_storefront_country(profile.storefront_country);
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }

  grpc::ServerUnaryReactor* ListProducts(grpc::CallbackServerContext* context,
                                         const peer::ListProductsRequest* request,
                                         peer::ListProductsResponse* response) override {
    for (const std::string& identifier : request->product_identifiers()) {
      const Catalogue::Entry* entry = catalogue_.Find(identifier);
      if (!entry) {
        response->add_invalid_identifiers(identifier);
      } else if (request->external_profile() && entry->kind != Kind::kConsumable) {
        response->add_unsupported_identifiers(identifier);
      } else {
        *response->add_products() = entry->product;
      }
    }
    grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }

 private:
  static constexpr int64_t kSessionMs = int64_t{30} * 24 * 3600 * 1000;

  ProfileStore profiles_;
  TokenSealer sealer_;
  const Catalogue catalogue_;
};

// Puts request and response of a call on an arena: a response with 100 products then takes a few
// allocations in place of some hundred.
template <class Request, class Response>
class ArenaMessages final : public grpc::MessageAllocator<Request, Response> {
 public:
  grpc::MessageHolder<Request, Response>* AllocateMessages() override { return new Holder; }

 private:
  class Holder final : public grpc::MessageHolder<Request, Response> {
   public:
    Holder() {
      this->set_request(google::protobuf::Arena::CreateMessage<Request>(&arena_));
      this->set_response(google::protobuf::Arena::CreateMessage<Response>(&arena_));
    }
    void Release() override { delete this; }

   private:
    google::protobuf::Arena arena_;
  };
};

// ---- Setting up -------------------------------------------------------------------------------

struct Options {
  int port = 0;
  std::string certificate;
  std::string key;
  int products = 10000;
  bool arena = true;
};

Options Parse(int argc, char** argv) {
  static const option kKnown[] = {
      {"port", required_argument, nullptr, 'p'}, {"cert", required_argument, nullptr, 'c'},
      {"key", required_argument, nullptr, 'k'},  {"products", required_argument, nullptr, 'n'},
      {"no-arena", no_argument, nullptr, 'a'},   {}};
  Options options;
  bool right = true;
  for (int flag; (flag = getopt_long(argc, argv, "", kKnown, nullptr)) != -1;) {
    switch (flag) {
      case 'p': options.port = std::atoi(optarg); break;
      case 'c': options.certificate = optarg; break;
      case 'k': options.key = optarg; break;
      case 'n': options.products = std::atoi(optarg); break;
      case 'a': options.arena = false; break;
      default: right = false;
    }
  }
  if (!right || optind != argc || options.port <= 0 || options.certificate.empty() ||
      options.key.empty() || options.products < 0) {
    std::cerr << "usage: " << argv[0]
              << " --port N --cert FILE --key FILE [--products N] [--no-arena]\n";
    std::exit(2);
  }
  return options;
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  if (!file) Die("can't read " + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = Parse(argc, argv);
  if (!UseTls13WithAes128()) Die("can't set the TLS policy");

  PeerService service(options.products);
  ArenaMessages<peer::CreateSessionRequest, peer::CreateSessionResponse> session_messages;
  ArenaMessages<peer::ListProductsRequest, peer::ListProductsResponse> product_messages;
  if (options.arena) {
    service.SetMessageAllocatorFor_CreateSession(&session_messages);
    service.SetMessageAllocatorFor_ListProducts(&product_messages);
  }

  grpc::SslServerCredentialsOptions tls;
  tls.pem_key_cert_pairs.push_back({ReadFile(options.key), ReadFile(options.certificate)});
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:" + std::to_string(options.port),
                           grpc::SslServerCredentials(tls));
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.RegisterService(&service);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (!server) Die("can't start the server");
  server->Wait();
}
