#pragma once

#include "api.hpp"
#include "schema_check.hpp"
#include "studio.hpp"
#include "study_requests.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>

namespace knossos::studio {

// A workspace that goes with the test.
class Workspace {
  public:
    Workspace()
        : path_{std::filesystem::path{testing::TempDir()} / ("studio-" + std::to_string(::getpid())) /
                name()} {
        std::filesystem::remove_all(path_);
    }
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;
    ~Workspace() { std::filesystem::remove_all(path_); }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    static std::string name() { return testing::UnitTest::GetInstance()->current_test_info()->name(); }
    std::filesystem::path path_;
};

inline void wait_until(const std::function<bool()>& condition) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds{120};
    while (!condition()) {
        ASSERT_LT(std::chrono::steady_clock::now(), limit);
        std::this_thread::yield();
    }
}

/// Asks the API without a server, and holds every answer against its description.
class ApiTest : public testing::Test {
  protected:
    using Json = nlohmann::ordered_json;

    Response answer(const Request& request) {
        Response response = api_.answer(request);
        // A stream that was read from begins where that ended: another one is looked into.
        EXPECT_EQ(wrong_in(request, response.events ? api_.answer(request) : response), "")
            << request.method << ' ' << request.path;
        return response;
    }
    Response get(const std::string& target) { return without_body("GET", target); }
    Response drop(const std::string& target) { return without_body("DELETE", target); }
    Response post(const std::string& target, const Json& body) { return with_body("POST", target, body); }
    Response put_json(const std::string& target, const Json& body) { return with_body("PUT", target, body); }
    Response without_body(const std::string& method, const std::string& target) {
        Request request{.method = method, .path = ""};
        EXPECT_TRUE(read_target(target, request));
        return answer(request);
    }
    Response with_body(const std::string& method, const std::string& target, const Json& body) {
        Request request{
            .method = method, .path = "", .content_type = "application/json", .body = body.dump()};
        EXPECT_TRUE(read_target(target, request));
        return answer(request);
    }

    Workspace workspace_;
    Studio studio_{workspace_.path(), {.workers = 1}};
    Api api_{studio_, with_studies(studio_)};
};

} // namespace knossos::studio
