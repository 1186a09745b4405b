#pragma once

#include "arrays.hpp"

#include <knossos/core/problem.hpp>

#include <exception>
#include <memory>

/// Problems that are evaluated by a function of Python.
namespace knossos::python {

/// What calls to Python left behind.
struct Faults {
    /// What the function of a problem raised. Whoever ran it raises it again: people are to see their own
    /// exception.
    std::exception_ptr raised{};
    /// What `on_generation` raised. It ends the run whatever becomes of evaluations that fail.
    std::exception_ptr heard{};
};

/// The columns of a record, as texts write them; "maximise" and "minimise" are short for one objective.
Schema schema_from(const std::string& columns);

/// A function of a whole batch: genomes [count, length] in, values [count] or [count, columns] out.
struct BatchCallback {
    nanobind::callable function;
    Space space;
    Schema schema;
    bool packed = false; ///< bits in words of 64, as they are kept
};

BatchFunction batch_function(BatchCallback callback, std::shared_ptr<Faults> faults);

/// Values of `count` individuals from what somebody returned: column after column. Throws InvalidInput, a
/// TypeError, or what numpy has to say; `source` begins their messages, such as "the function returned".
void read_values(const nanobind::object& returned, std::size_t count, const Schema& schema,
                 std::string_view source, std::span<double> out);

} // namespace knossos::python
