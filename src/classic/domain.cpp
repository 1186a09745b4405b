#include <knossos/classic/domain.hpp>
#include <knossos/classic/one_max.hpp>

namespace knossos {

namespace {

struct OneMaxFields {
    std::uint64_t length = 100;

    static constexpr std::string_view name = "one-max";
    static constexpr auto fields() {
        return std::tuple{field("length", &OneMaxFields::length, 1, 4294967295.0, "number of bits")};
    }
    [[nodiscard]] Problem make() const { return OneMax{.length = length}; }
};

} // namespace

Domain one_max_domain() {
    Domain domain = domain_of_fields<OneMaxFields>("as many ones as possible");
    domain.title = "OneMax";
    domain.size_fields = {"length"};
    domain.logged_as = [](const Values&) -> LoggedFunction { return {1, "OneMax", "PBO"}; };
    return domain;
}

} // namespace knossos
