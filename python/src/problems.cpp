#include "problems.hpp"

#include <knossos/core/error.hpp>

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <array>
#include <optional>

namespace nb = nanobind;

namespace knossos::python {

namespace {

// The array that a function is handed is used again, unless the function has kept it.
class Callback {
  public:
    explicit Callback(BatchCallback its) : its_{std::move(its)} {}
    Callback(const Callback&) = delete;
    Callback& operator=(const Callback&) = delete;
    ~Callback() {
        const nb::gil_scoped_acquire gil;
        its_.function.reset();
    }

    void operator()(const Batch& batch, std::span<double> values) {
        const nb::gil_scoped_acquire gil;
        if (!genomes_ || !genomes_->is_free() || genomes_->room() < batch.count)
            genomes_.emplace(its_.space, batch.count, its_.packed);
        for (std::size_t i = 0; i < batch.count; ++i) genomes_->put(i, batch[i]);
        read_values(its_.function(genomes_->array(batch.count)), batch.count, its_.schema,
                    "the function returned", values);
    }

  private:
    BatchCallback its_;
    std::optional<GenomeArray> genomes_{};
};

[[noreturn]] void raise_type_error(const std::string& message) {
    PyErr_SetString(PyExc_TypeError, message.c_str());
    throw nb::python_error{};
}

// What numpy can make numbers of without a guess: no complex numbers, whose half it would drop, and no texts.
nb::object as_doubles(const nb::object& values, std::string_view source) {
    const nb::module_ numpy = nb::module_::import_("numpy");
    const nb::object array = numpy.attr("asarray")(values);
    const nb::object type = array.attr("dtype");
    if (std::string_view{"biufO"}.find(nb::cast<std::string>(type.attr("kind"))) == std::string_view::npos)
        raise_type_error(fmt::format("{} values of type {}; they must be numbers", source,
                                     nb::cast<std::string>(type.attr("name"))));
    return numpy.attr("ascontiguousarray")(array, nb::arg("dtype") = "float64");
}

std::string shape_of_values(const Numbers& values) {
    std::string text;
    for (std::size_t i = 0; i < values.ndim(); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : ", ", values.shape(i));
    return "[" + text + "]";
}

} // namespace

Schema schema_from(const std::string& columns) {
    if (columns == "maximise") return Objective::maximise;
    if (columns == "minimise") return Objective::minimise;
    const auto all = columns_from_text(columns);
    return Schema{std::span<const Column>{all}};
}

void read_values(const nb::object& returned, std::size_t count, const Schema& schema, std::string_view source,
                 std::span<double> out) {
    if (nb::isinstance<nb::dict>(returned)) {
        const auto named = nb::cast<nb::dict>(returned);
        for (std::size_t c = 0; c < schema.size(); ++c) {
            const std::string name{schema.columns()[c].name.text()};
            if (!named.contains(name.c_str()))
                throw InvalidInput{
                    fmt::format("{} no '{}'; the columns are {}", source, name, schema.to_text())};
            const auto column = nb::cast<Numbers>(as_doubles(named[name.c_str()], source));
            if (column.ndim() != 1 || column.shape(0) != count)
                throw InvalidInput{fmt::format(
                    "{} values of shape {} for '{}'; there must be {} values, one for each individual",
                    source, shape_of_values(column), name, count)};
            std::copy_n(column.data(), count, out.begin() + static_cast<std::ptrdiff_t>(c * count));
        }
        return;
    }
    if (returned.is_none())
        raise_type_error(fmt::format("{} None; there must be a value for each individual", source));
    const auto values = nb::cast<Numbers>(as_doubles(returned, source));
    const bool is_row = schema.plain() && values.ndim() == 1 && values.shape(0) == count;
    if (!is_row && (values.ndim() != 2 || values.shape(0) != count || values.shape(1) != schema.size()))
        throw InvalidInput{fmt::format("{} values of shape {} for {} individuals; it must be {} ({})", source,
                                       shape_of_values(values), count,
                                       schema.plain() ? fmt::format("[{}]", count)
                                                      : fmt::format("[{}, {}]", count, schema.size()),
                                       schema.to_text())};
    for (std::size_t c = 0; c < schema.size(); ++c)
        for (std::size_t i = 0; i < count; ++i) out[c * count + i] = values.data()[i * schema.size() + c];
}

BatchFunction batch_function(BatchCallback callback, std::shared_ptr<Faults> faults) {
    auto call = std::make_shared<Callback>(std::move(callback));
    return [call, faults](const Batch& batch, std::span<double> values) {
        try {
            (*call)(batch, values);
        } catch (const nb::python_error& error) {
            faults->raised = std::current_exception();
            const nb::gil_scoped_acquire gil;
            // What is no mistake of one evaluation, such as Ctrl-C, ends the run whatever its policy is.
            if (!error.matches(PyExc_Exception)) throw InvalidInput{"interrupted"};
            throw EvaluationError{"the function raised an exception"};
        }
    };
}

} // namespace knossos::python
