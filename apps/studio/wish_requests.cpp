#include "wish_requests.hpp"

#include "requests.hpp"
#include "views.hpp"

#include <knossos/core/text.hpp>

#include <algorithm>

namespace knossos::studio {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::array<std::string_view, 3> aims{"maximise", "minimise", "range"};
constexpr std::array<std::string_view, 3> kinds{"count", "share", "ratio"};
constexpr std::size_t most_wishes = 100;

const Domain& domain_wished(const std::string& name, const Registry& registry) {
    std::vector<std::string> names;
    for (const Domain& domain : registry.domains()) {
        if (!domain.wishes) continue;
        if (domain.info.name == name) return domain;
        names.push_back(domain.info.name);
    }
    throw Refusal{422, fmt::format("domain is '{}'; there are wishes for {}", name.substr(0, 80),
                                   fmt::join(names, ", "))};
}

Json wish_view(const Wish& wish, const WishList& list) {
    const Wishable& measure = list.measures[wish.measure];
    return {{"measure", measure.name},
            {"aim", aims[static_cast<std::size_t>(wish.aim)]},
            {"low", wish.aim == Aim::range ? number(wish.low) : Json(nullptr)},
            {"high", wish.aim == Aim::range ? number(wish.high) : Json(nullptr)},
            {"near", wish.near ? Json(*wish.near) : Json(nullptr)},
            {"weight", wish.weight},
            {"text", to_text(wish, measure.name)}};
}

// Wish by wish, so that one that can't be read leaves the others alone.
Json parsed_view(std::string_view text, const WishList& list) {
    auto wishes = Json::array();
    auto errors = Json::array();
    std::vector<std::string> texts;
    std::size_t index = 0;
    for (std::size_t start = 0; start <= text.size(); ++index) {
        const std::size_t end = std::min(text.find_first_of(",;\n", start), text.size());
        const std::string_view one = text.substr(start, end - start);
        start = end + 1;
        if (one.find_first_not_of(" \t\r") == std::string_view::npos) continue;
        if (texts.size() + errors.size() >= most_wishes)
            throw Refusal{422, fmt::format("there may be {} wishes at most", most_wishes)};
        try {
            for (const Wish& wish : parse_wishes(one, "wish", list)) {
                wishes.push_back(wish_view(wish, list));
                texts.push_back(wishes.back()["text"].get<std::string>());
            }
        } catch (const InvalidInput& error) {
            // "wish:1:6: …": the place is said apart.
            std::string_view message = error.what();
            if (message.starts_with("wish:"))
                message.remove_prefix(std::min(message.find(": ") + 2, message.size()));
            errors.push_back({{"index", index}, {"wish", one}, {"message", message}});
        }
    }
    if (errors.empty()) try {
            (void)parse_wishes(text, "wishes", list); // what holds of all together
        } catch (const InvalidInput& error) {
            errors.push_back({{"index", nullptr}, {"wish", text}, {"message", error.what()}});
        }
    return {{"wishes", wishes}, {"errors", errors}, {"text", fmt::format("{}", fmt::join(texts, ", "))}};
}

// The words of a wish; whether they make sense is for the parser to say.
std::string words_of(const Json& wish) {
    know_all_keys(wish, {"measure", "aim", "low", "high", "near", "weight", "text"});
    const std::string measure = member<std::string>(wish, "measure").value_or("");
    if (measure.empty() || measure.find_first_of(" ,;\n") != std::string::npos)
        throw Refusal{422, "measure must be the name of a measure"};
    const std::string aim = member<std::string>(wish, "aim").value_or("range");
    if (std::ranges::find(aims, aim) == aims.end())
        throw Refusal{422, "aim must be maximise, minimise or range"};
    std::string text = aim == "range" ? measure : fmt::format("{} {}", aim, measure);
    if (aim == "range") {
        const auto low = member<double>(wish, "low");
        const auto high = member<double>(wish, "high");
        if (!low && !high) throw Refusal{422, fmt::format("{}: a range needs low, high or both", measure)};
        const auto bound = [](const std::optional<double>& one) {
            return one ? fmt::format("{}", *one) : "";
        };
        text += low == high ? fmt::format(" {}", *low) : fmt::format(" {}..{}", bound(low), bound(high));
    }
    if (const auto near = member<double>(wish, "near")) text += fmt::format(" near {}", *near);
    if (const auto weight = member<double>(wish, "weight"); weight && *weight != 1.0)
        text += fmt::format(" weight {}", *weight);
    return text;
}

std::string text_in(const Json& json) {
    const auto text = member<std::string>(json, "text");
    const auto list = json.find("wishes");
    if (text.has_value() == (list != json.end()))
        throw Refusal{422, "give either text or wishes, a list of them"};
    if (text) return *text;
    if (!list->is_array() || list->size() > most_wishes)
        throw Refusal{422, fmt::format("wishes must be a list of at most {}", most_wishes)};
    std::vector<std::string> all;
    for (const Json& wish : *list) {
        if (!wish.is_object()) throw Refusal{422, "each of wishes must be an object with measure and aim"};
        all.push_back(words_of(wish));
    }
    return fmt::format("{}", fmt::join(all, ", "));
}

} // namespace

Json wishes_view(const Domain& domain) {
    if (!domain.wishes) return nullptr;
    auto measures = Json::array();
    for (const Wishable& one : domain.wishes().measures)
        measures.push_back({{"name", one.name},
                            {"short", one.short_name},
                            {"kind", kinds[static_cast<std::size_t>(one.kind)]},
                            {"meaning", one.meaning}});
    return {{"field", domain.wishes_field}, {"measures", measures}};
}

std::optional<Response> answer_wishes(const Request& request, const Registry& registry) {
    if (request.path != "/api/wishes") return std::nullopt;
    only(request, "POST");
    const Json json = body_of(request);
    know_all_keys(json, {"domain", "text", "wishes"});
    const std::string name = member<std::string>(json, "domain").value_or("");
    const Domain& domain = domain_wished(name, registry);
    return json_response(parsed_view(text_in(json), domain.wishes()));
}

} // namespace knossos::studio
