// Any request to the studio is answered, and never with 500. The input is a line "METHOD TARGET", then the
// body. The workspace holds two runs that have ended, and no place for more: orders are read and refused.
#include "api.hpp"
#include "studio.hpp"
#include "support.hpp"

#include <knossos/core/files.hpp>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>

using namespace knossos;
namespace fs = std::filesystem;

namespace {

// Goes when the program ends.
class Workspace {
  public:
    Workspace() : path_{made()} {
        for (const auto& [name, recipe] :
             {std::pair{"queens-1", Recipe::load("pmx-queens", {"problem.n=5", "algorithm.population=20"})},
              std::pair{"maze-1", Recipe::load("maze-direct", {"problem.width=6", "problem.height=5",
                                                               "algorithm.population=20"})}}) {
            const Recipe brief = recipe.with_stop(generations(3));
            Run run{brief.problem(), brief.settings()};
            run.finish();
            RunFolder::create(path_ / name, brief).finish(run);
        }
        studio_ = std::make_unique<studio::Studio>(path_, studio::Limits{.workers = 1, .most_runs = 2});
        api_ = std::make_unique<studio::Api>(*studio_);
    }
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;
    ~Workspace() {
        api_.reset();
        studio_.reset();
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    studio::Api& api() { return *api_; }

  private:
    static fs::path made() {
        std::string name = (fs::temp_directory_path() / "knossos-fuzz-XXXXXX").string();
        fuzz::require(mkdtemp(name.data()) != nullptr, "there is a place for the workspace");
        return name;
    }
    fs::path path_;
    std::unique_ptr<studio::Studio> studio_;
    std::unique_ptr<studio::Api> api_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static Workspace workspace;
    const std::string_view text = fuzz::text_of(data, size);
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::size_t blank = std::min(text.substr(0, end).find(' '), end);
    studio::Request request{.method = std::string{text.substr(0, blank)}, .path = {}};
    if (!studio::read_target(text.substr(std::min(blank + 1, end), end - std::min(blank + 1, end)), request))
        return 0;
    // The runs have to be there for the next one.
    if (request.method == "DELETE") request.method = "PUT";
    // Drawing pictures takes a hundred times as long as all the rest.
    const std::string& format = request.query["format"];
    if ((format == "png" || format == "tmj" || format == "tmx") && !fuzz::is_one_in(256, text)) return 0;
    request.content_type = "application/json";
    request.body = text.substr(std::min(end + 1, text.size()));
    studio::Response response = workspace.api().answer(request);
    if (response.status >= 500 && response.status != 503)
        std::fprintf(stderr, "%d: %s\n", response.status, response.body.c_str());
    fuzz::require(response.status < 500 || response.status == 503, "no request makes the studio fail");
    fuzz::require(response.status != 201, "no run is started");
    if (response.events) {
        std::uint64_t last = 0;
        bool over = false;
        (void)response.events(last, over);
    }
    if (response.content_type == "application/json" && fuzz::is_one_in(64, text))
        fuzz::require(nlohmann::json::accept(response.body), "an answer in JSON is JSON");
    return 0;
}
