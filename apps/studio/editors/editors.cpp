#include "editors/editors.hpp"

#include "editors/dungeon_editor.hpp"
#include "editors/level_editor.hpp"

namespace knossos::studio {

// Alone knows them by name.
std::optional<Response> answer_editor(const Request& request) {
    if (auto answered = answer_level_editor(request)) return answered;
    return answer_dungeon_editor(request);
}

} // namespace knossos::studio
