// Closed-loop load for the gRPC peer, with the scenarios of the same names as onside-load's.
//
// One thread, one completion queue. Each connection is a channel of its own with --in-flight calls
// under way; an answered call starts the next one at once. Answers are checked.

#include <getopt.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <unordered_set>
#include <vector>

#include "catalogue.h"
#include "../measure.h"
#include "peer.grpc.pb.h"
#include "tls_policy.h"

namespace {

constexpr int kPatienceSeconds = 10;

[[noreturn]] void Die(const std::string& reason) {
  std::cerr << reason << "\n";
  std::exit(1);
}

struct Options {
  int port = 0;
  std::string ca;
  int connections = 64;
  int in_flight = 1;
  double seconds = 5;
  double warmup = 1;
  std::string scenario = "session-return";
  int users = 1000;
  int identifiers = 100;
  double unknown_share = 0.05;
  int products = 10000;
  bool regular_profile = false;
  pid_t server_pid = 0;
  bool json = false;
};

// ---- Calls ------------------------------------------------------------------------------------

// A call that is made again and again on one connection.
class Call {
 public:
  virtual ~Call() = default;

  void Start(grpc::CompletionQueue* queue) {
    started_ns_ = monotonic_ns();
    Send(queue);
  }

  // Whether the finished call succeeded and its answer is right.
  virtual bool IsRight() const = 0;

  const grpc::Status& status() const { return status_; }
  uint64_t started_ns() const { return started_ns_; }

 protected:
  virtual void Send(grpc::CompletionQueue* queue) = 0;

  grpc::Status status_;

 private:
  uint64_t started_ns_ = 0;
};

template <class Response>
using Reader = std::unique_ptr<grpc::ClientAsyncResponseReader<Response>>;

// The users that sign in: new ones each time, or a set of returning ones in turn.
class Users {
 public:
  // With `returning` 0, every user is new.
  explicit Users(int returning) : returning_(returning) {
    // Differs between runs, so that a server can be used twice.
    std::random_device random;
    char prefix[32];
    std::snprintf(prefix, sizeof prefix, "user-%08x-", random());
    prefix_ = prefix;
  }

  bool are_new() const { return returning_ == 0; }
  int returning() const { return returning_; }

  void NameNext(std::string* name) {
    const uint64_t number = are_new() ? next_++ : next_++ % static_cast<uint64_t>(returning_);
    char digits[24];
    std::snprintf(digits, sizeof digits, "%012llx", static_cast<unsigned long long>(number));
    name->assign(prefix_).append(digits);
  }

 private:
  const int returning_;
  std::string prefix_;
  uint64_t next_ = 0;
};

constexpr char kApp[] = "com.example.shop";

class CreateSessionCall final : public Call {
 public:
  CreateSessionCall(peer::Peer::Stub* stub, Users* users) : stub_(stub), users_(users) {
    request_.set_app_id(kApp);
  }

  bool IsRight() const override {
    return status_.ok() && response_.created() == users_->are_new() &&
           response_.session_token().size() >= 64 && !response_.profile_id().empty() &&
           response_.expires_at_ms() > 0;
  }

 protected:
  void Send(grpc::CompletionQueue* queue) override {
    users_->NameNext(request_.mutable_external_user_id());
    reader_.reset();  // it lives in the memory of the call before, which the context frees
    context_.emplace();
    reader_ = stub_->AsyncCreateSession(&*context_, request_, queue);
    reader_->Finish(&response_, &status_, static_cast<Call*>(this));
  }

 private:
  peer::Peer::Stub* stub_;
  Users* users_;
  peer::CreateSessionRequest request_;
  peer::CreateSessionResponse response_;
  std::optional<grpc::ClientContext> context_;
  Reader<peer::CreateSessionResponse> reader_;
};

// A prepared request and what its answer has to look like.
struct ProductQuery {
  peer::ListProductsRequest request;
  int products = 0;
  int invalid = 0;
  int unsupported = 0;
};

// Makes requests for random distinct products, all different; the same ones in each run.
std::vector<ProductQuery> MakeProductQueries(const Options& options) {
  constexpr int kQueries = 512;
  std::mt19937 random(1);
  std::uniform_int_distribution<int> any_item(0, options.products - 1);
  const int unknown = static_cast<int>(options.identifiers * options.unknown_share + 0.5);
  std::vector<ProductQuery> queries(kQueries);
  int unknown_number = 0;
  for (ProductQuery& query : queries) {
    std::vector<std::string> identifiers;
    std::unordered_set<int> taken;
    while (static_cast<int>(taken.size()) < options.identifiers - unknown) {
      const int index = any_item(random);
      if (!taken.insert(index).second) continue;
      identifiers.push_back(ItemIdentifier(index));
      const bool supported = options.regular_profile || KindOfItem(index) == Kind::kConsumable;
      ++(supported ? query.products : query.unsupported);
    }
    for (int i = 0; i < unknown; i++) identifiers.push_back(UnknownIdentifier(unknown_number++));
    query.invalid = unknown;
    std::shuffle(identifiers.begin(), identifiers.end(), random);
    for (std::string& identifier : identifiers) {
      query.request.add_product_identifiers(std::move(identifier));
    }
    query.request.set_country("DEU");
    query.request.set_external_profile(!options.regular_profile);
  }
  return queries;
}

class ListProductsCall final : public Call {
 public:
  ListProductsCall(peer::Peer::Stub* stub, const std::vector<ProductQuery>* queries,
                   uint64_t* next_query)
      : stub_(stub), queries_(queries), next_query_(next_query) {}

  bool IsRight() const override {
    return status_.ok() && response_.products_size() == query_->products &&
           response_.invalid_identifiers_size() == query_->invalid &&
           response_.unsupported_identifiers_size() == query_->unsupported;
  }

 protected:
  void Send(grpc::CompletionQueue* queue) override {
    query_ = &(*queries_)[(*next_query_)++ % queries_->size()];
    reader_.reset();  // as above
    context_.emplace();
    reader_ = stub_->AsyncListProducts(&*context_, query_->request, queue);
    reader_->Finish(&response_, &status_, static_cast<Call*>(this));
  }

 private:
  peer::Peer::Stub* stub_;
  const std::vector<ProductQuery>* queries_;
  uint64_t* next_query_;
  const ProductQuery* query_ = nullptr;
  peer::ListProductsResponse response_;
  std::optional<grpc::ClientContext> context_;
  Reader<peer::ListProductsResponse> reader_;
};

// ---- The load ---------------------------------------------------------------------------------

class Load {
 public:
  explicit Load(const Options& options)
      : options_(options), users_(options.scenario == "session-return" ? options.users : 0) {}

  // False if any answer was wrong or missing.
  bool Run() {
    Connect();
    MakeCalls();
    for (const auto& call : calls_) call->Start(&queue_);
    const uint64_t warm_at = monotonic_ns() + static_cast<uint64_t>(options_.warmup * 1e9);
    ServeUntil(warm_at);

    run_report report = {};
    measuring_ = true;
    report_begin(&report, options_.server_pid);
    ServeUntil(monotonic_ns() + static_cast<uint64_t>(options_.seconds * 1e9));
    report_end(&report);
    measuring_ = false;

    Drain();
    report.peer = "grpc-cpp";
    report.workload = options_.scenario.c_str();
    report.connections = options_.connections;
    report.in_flight = options_.in_flight;
    report.ok = ok_;
    report.failed = failed_;
    report.latency = latency_.get();
    report.extra_json = "";
    report_print(&report, options_.json);
    return failed_ == 0 && ok_ > 0;
  }

 private:
  void Connect() {
    std::ifstream file(options_.ca);
    if (!file) Die("can't read " + options_.ca);
    std::stringstream roots;
    roots << file.rdbuf();
    grpc::SslCredentialsOptions tls;
    tls.pem_root_certs = roots.str();
    const auto credentials = grpc::SslCredentials(tls);
    const std::string target = "127.0.0.1:" + std::to_string(options_.port);
    for (int i = 0; i < options_.connections; i++) {
      grpc::ChannelArguments arguments;
      arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // else all share one connection
      const auto channel = grpc::CreateCustomChannel(target, credentials, arguments);
      const auto deadline =
          std::chrono::system_clock::now() + std::chrono::seconds(kPatienceSeconds);
      if (!channel->WaitForConnected(deadline)) Die("can't connect to " + target);
      stubs_.push_back(peer::Peer::NewStub(channel));
    }
  }

  void MakeCalls() {
    const bool sessions = options_.scenario != "product-filter";
    if (sessions) {
      MakeReturningUsersKnown();
    } else {
      queries_ = MakeProductQueries(options_);
    }
    for (const auto& stub : stubs_) {
      for (int i = 0; i < options_.in_flight; i++) {
        if (sessions) {
          calls_.push_back(std::make_unique<CreateSessionCall>(stub.get(), &users_));
        } else {
          calls_.push_back(
              std::make_unique<ListProductsCall>(stub.get(), &queries_, &next_query_));
        }
      }
    }
  }

  // One call for each of them, before anything is measured.
  void MakeReturningUsersKnown() {
    for (int i = 0; i < users_.returning(); i++) {
      peer::CreateSessionRequest request;
      peer::CreateSessionResponse response;
      request.set_app_id(kApp);
      users_.NameNext(request.mutable_external_user_id());
      grpc::ClientContext context;
      const grpc::Status status = stubs_[0]->CreateSession(&context, request, &response);
      if (!status.ok()) Die("making the users known: " + status.error_message());
    }
  }

  // Waits for the next answer.
  Call* NextAnswer() {
    void* tag = nullptr;
    bool ok = false;
    const auto deadline = std::chrono::system_clock::now() + std::chrono::seconds(kPatienceSeconds);
    if (queue_.AsyncNext(&tag, &ok, deadline) != grpc::CompletionQueue::GOT_EVENT) {
      Die("no answer for " + std::to_string(kPatienceSeconds) + " s");
    }
    return static_cast<Call*>(tag);
  }

  bool Check(const Call& call) {
    if (call.IsRight()) return true;
    if (failed_++ == 0) {
      std::cerr << "wrong answer, status " << call.status().error_code() << " "
                << call.status().error_message() << "\n";
    }
    if (failed_ > kFailuresToGiveUp) Die("too many failures");
    return false;
  }

  void ServeUntil(uint64_t deadline_ns) {
    for (;;) {
      Call* call = NextAnswer();
      const uint64_t now = monotonic_ns();
      if (Check(*call) && measuring_) {
        ok_++;
        histogram_record(latency_.get(), now - call->started_ns());
      }
      call->Start(&queue_);
      if (now >= deadline_ns) return;
    }
  }

  void Drain() {
    for (size_t left = calls_.size(); left > 0; left--) Check(*NextAnswer());
    queue_.Shutdown();
  }

  static constexpr uint64_t kFailuresToGiveUp = 1000;

  const Options options_;
  grpc::CompletionQueue queue_;
  std::vector<std::unique_ptr<peer::Peer::Stub>> stubs_;
  std::vector<ProductQuery> queries_;
  Users users_;
  uint64_t next_query_ = 0;
  std::vector<std::unique_ptr<Call>> calls_;

  bool measuring_ = false;
  uint64_t ok_ = 0;
  uint64_t failed_ = 0;
  std::unique_ptr<histogram> latency_ = std::make_unique<histogram>();
};

// ---- Flags ------------------------------------------------------------------------------------

[[noreturn]] void Usage(const char* program) {
  std::cerr << "usage: " << program
            << " --port N --ca FILE [--scenario session-create|session-return|product-filter]\n"
               "       [--users N] [--connections N] [--in-flight N] [--seconds S] [--warmup S]\n"
               "       [--identifiers N] [--unknown-share X] [--products N] [--regular-profile]\n"
               "       [--server-pid PID] [--json]\n";
  std::exit(2);
}

Options Parse(int argc, char** argv) {
  static const option kKnown[] = {{"port", required_argument, nullptr, 'p'},
                                  {"ca", required_argument, nullptr, 'a'},
                                  {"connections", required_argument, nullptr, 'c'},
                                  {"in-flight", required_argument, nullptr, 'i'},
                                  {"seconds", required_argument, nullptr, 's'},
                                  {"warmup", required_argument, nullptr, 'w'},
                                  {"scenario", required_argument, nullptr, 'm'},
                                  {"users", required_argument, nullptr, 'U'},
                                  {"identifiers", required_argument, nullptr, 'n'},
                                  {"unknown-share", required_argument, nullptr, 'u'},
                                  {"products", required_argument, nullptr, 'N'},
                                  {"regular-profile", no_argument, nullptr, 'r'},
                                  {"server-pid", required_argument, nullptr, 'P'},
                                  {"json", no_argument, nullptr, 'j'},
                                  {}};
  Options o;
  for (int flag; (flag = getopt_long(argc, argv, "", kKnown, nullptr)) != -1;) {
    switch (flag) {
      case 'p': o.port = std::atoi(optarg); break;
      case 'a': o.ca = optarg; break;
      case 'c': o.connections = std::atoi(optarg); break;
      case 'i': o.in_flight = std::atoi(optarg); break;
      case 's': o.seconds = std::atof(optarg); break;
      case 'w': o.warmup = std::atof(optarg); break;
      case 'm': o.scenario = optarg; break;
      case 'U': o.users = std::atoi(optarg); break;
      case 'n': o.identifiers = std::atoi(optarg); break;
      case 'u': o.unknown_share = std::atof(optarg); break;
      case 'N': o.products = std::atoi(optarg); break;
      case 'r': o.regular_profile = true; break;
      case 'P': o.server_pid = std::atoi(optarg); break;
      case 'j': o.json = true; break;
      default: Usage(argv[0]);
    }
  }
  const bool known_scenario = o.scenario == "session-create" || o.scenario == "session-return" ||
                              o.scenario == "product-filter";
  if (optind != argc || o.port <= 0 || o.ca.empty() || !known_scenario || o.connections <= 0 ||
      o.users <= 0 ||
      o.in_flight <= 0 || !(o.seconds > 0) || !(o.warmup >= 0) || o.identifiers < 0 ||
      !(o.unknown_share >= 0 && o.unknown_share <= 1) || o.products < o.identifiers) {
    Usage(argv[0]);
  }
  return o;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = Parse(argc, argv);
  if (!UseTls13WithAes128()) Die("can't set the TLS policy");
  return Load(options).Run() ? 0 : 1;
}
