#include <knossos/recipe/recipe.hpp>
#include <knossos/version.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace knossos {

namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson bound(const FieldInfo& field, double value) {
    if (field.type == FieldType::integer) return static_cast<std::int64_t>(value);
    return value;
}

OrderedJson of_field(const FieldInfo& field) {
    OrderedJson schema{{"description", field.meaning}};
    switch (field.type) {
    case FieldType::boolean:
        schema["type"] = "boolean";
        break;
    case FieldType::integer:
        schema["type"] = "integer";
        break;
    case FieldType::real:
        schema["type"] = "number";
        break;
    case FieldType::choice:
        schema["enum"] = field.choices;
        break;
    case FieldType::text:
        schema["type"] = "string";
        break;
    }
    const bool number = field.type == FieldType::integer || field.type == FieldType::real;
    if (number && !std::isinf(field.minimum)) schema["minimum"] = bound(field, field.minimum);
    if (number && !std::isinf(field.maximum)) schema["maximum"] = bound(field, field.maximum);
    std::visit([&](const auto& value) { schema["default"] = value; }, field.default_value);
    return schema;
}

// One kind of part with exactly its own fields. Only the default kind may go without saying.
OrderedJson of_part(const RecipeSection& section, const PartInfo& part) {
    OrderedJson properties = OrderedJson::object();
    if (section.has_kind()) properties["kind"] = {{"const", part.name}, {"description", part.summary}};
    for (const FieldInfo& field : part.fields) properties[field.name] = of_field(field);
    OrderedJson schema{{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
    if (section.has_kind()) {
        schema["title"] = part.name;
        schema["description"] = part.summary;
        if (part.name != section.default_kind) schema["required"] = OrderedJson::array({"kind"});
    }
    return schema;
}

OrderedJson of_section(const RecipeSection& section) {
    if (!section.has_kind()) return of_part(section, section.parts.front());
    OrderedJson kinds = OrderedJson::array();
    for (const PartInfo& part : section.parts) kinds.push_back(of_part(section, part));
    return {{"oneOf", kinds}};
}

// The stages that an algorithm never looks at are refused beside it.
OrderedJson stages_of(const RecipeSection& algorithms) {
    OrderedJson rules = OrderedJson::array();
    for (const PartInfo& algorithm : algorithms.parts) {
        const OrderedJson named{{"properties", {{"kind", {{"const", algorithm.name}}}}},
                                {"required", OrderedJson::array({"kind"})}};
        OrderedJson chosen{{"properties", {{"algorithm", named}}},
                           {"required", OrderedJson::array({"algorithm"})}};
        if (algorithm.name == algorithms.default_kind) {
            const OrderedJson silent{
                {"properties", {{"algorithm", {{"not", {{"required", OrderedJson::array({"kind"})}}}}}}}};
            chosen = {{"anyOf", OrderedJson::array({chosen, silent})}};
        }
        rules.push_back(
            {{"if", chosen},
             {"then", {{"properties", {{"stages", {{"propertyNames", {{"enum", algorithm.uses}}}}}}}}}});
    }
    return rules;
}

OrderedJson stop_schema() {
    const auto count = [](std::string_view meaning, int least) {
        return OrderedJson{{"description", meaning},
                           {"type", "integer"},
                           {"minimum", least},
                           {"maximum", std::int64_t{1} << 53U}};
    };
    const auto nested = [](std::string_view meaning) {
        return OrderedJson{{"description", meaning}, {"$ref", "#/$defs/stop"}, {"minProperties", 1}};
    };
    return {{"type", "object"},
            {"properties",
             {{"solved", {{"description", "the problem's own target is reached"}, {"type", "boolean"}}},
              {"target", {{"description", "the best is at least as good as this"}, {"type", "number"}}},
              {"evaluations", count("at least so many evaluations", 1)},
              {"generations", count("so many generations", 0)},
              {"seconds",
               {{"description", "wall time; the result records the generation at which it fell"},
                {"type", "number"},
                {"exclusiveMinimum", 0}}},
              {"stagnation", count("no improvement for so many generations", 1)},
              {"convergence",
               {{"description", "best and worst of the population differ by no more than this"},
                {"type", "number"},
                {"minimum", 0}}},
              {"any", nested("one of these rules")},
              {"all", nested("all of these rules together")}}},
            {"additionalProperties", false}};
}

} // namespace

std::string recipe_schema(const Registry& registry) {
    OrderedJson properties{
        {"name", {{"description", "what the recipe is called"}, {"type", "string"}}},
        {"description", {{"description", "one line that says what it is"}, {"type", "string"}}},
        {"seed",
         {{"description", "seed of the random streams"},
          {"type", "integer"},
          {"minimum", 0},
          {"maximum", std::numeric_limits<std::int64_t>::max()},
          {"default", 1}}}};
    OrderedJson stages = OrderedJson::object();
    OrderedJson rules = OrderedJson::array();
    for (const RecipeSection& section : registry.sections()) {
        constexpr std::string_view stage = "stages.";
        if (section.path.starts_with(stage))
            stages[section.path.substr(stage.size())] = of_section(section);
        else
            properties[section.path] = of_section(section);
        if (section.path == "evaluator") // or just its program
            properties[section.path]["type"] = OrderedJson::array({"object", "string"});
        if (section.path == "algorithm") rules = stages_of(section);
    }
    properties["stages"] = {{"description", "what happens in a generation"},
                            {"type", "object"},
                            {"properties", stages},
                            {"additionalProperties", false}};
    properties["stop"] = {{"description", "when the run ends: at the first of these rules that holds"},
                          {"$ref", "#/$defs/stop"}};
    properties["output"] = {
        {"description", "what is written; it never changes the run"},
        {"type", "object"},
        {"properties",
         {{"files",
           {{"description", "the best, in formats by extension, such as best.svg"},
            {"type", "array"},
            {"items", {{"type", "string"}, {"minLength", 1}}},
            {"default", OrderedJson::array()}}},
          {"checkpoint_every",
           {{"description", "seconds between checkpoints of a run folder; 0 keeps every generation"},
            {"type", "number"},
            {"minimum", 0},
            {"default", RecipeOutput{}.checkpoint_every}}},
          {"device",
           {{"description", "where it runs: cpu, auto, or the name of a device (knossos devices lists them); "
                            "those of several, apart by commas, divide the islands among them"},
            {"type", "string"},
            {"minLength", 1},
            {"default", RecipeOutput{}.device}}}}},
        {"additionalProperties", false}};
    const OrderedJson schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                             {"$id", std::string{"urn:knossos:recipe:"} + version},
                             {"title", "Knossos recipe"},
                             {"type", "object"},
                             {"properties", properties},
                             {"additionalProperties", false},
                             {"allOf", rules},
                             {"$defs", {{"stop", stop_schema()}}}};
    return schema.dump(2) + "\n";
}

} // namespace knossos
