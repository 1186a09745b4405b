#include "bindings.hpp"

#include <knossos/core/error.hpp>
#include <knossos/recipe/recipe.hpp>

#include <string>

namespace nb = nanobind;

namespace knossos::python {

namespace {

// The classes are Python's, in knossos/errors.py, as they have two bases each.
void raise(const char* name, const std::string& message) {
    const nb::object type = nb::module_::import_("knossos.errors").attr(name);
    const nb::object text =
        nb::steal(PyUnicode_DecodeUTF8(message.data(), static_cast<Py_ssize_t>(message.size()), "replace"));
    PyErr_SetObject(type.ptr(), text.ptr());
}

// Overrides were no flags here.
std::string without_flags(const RecipeError& error) {
    constexpr std::string_view flag = "--set ";
    std::string text;
    for (const Diagnostic& one : error.diagnostics()) {
        std::string_view where = one.where;
        if (where.starts_with(flag)) where.remove_prefix(flag.size());
        text.append(text.empty() ? "" : "\n").append(where).append(": ").append(one.message);
    }
    return text;
}

void translate(const std::exception_ptr& thrown, void* /*payload*/) {
    try {
        std::rethrow_exception(thrown);
    } catch (const UnknownRecipe& error) {
        raise("UnknownRecipe", error.what());
    } catch (const RecipeError& error) {
        raise("InvalidInput", without_flags(error));
    } catch (const InvalidInput& error) {
        raise("InvalidInput", error.what());
    } catch (const EvaluationError& error) {
        raise("EvaluationError", error.what());
    } catch (const InputOutputError& error) {
        raise("InputOutputError", error.what());
    } catch (const Error& error) {
        raise("Error", error.what());
    }
}

} // namespace

void bind_errors(nb::module_& /*module*/) { nb::register_exception_translator(translate); }

} // namespace knossos::python
