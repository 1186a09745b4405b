#pragma once

#include <knossos/domain/artefact.hpp>
#include <knossos/queens/board.hpp>

#include <string>

namespace knossos::queens {

ArtefactPtr board_artefact(Board board);

/// What the page's editor of boards needs: the queen of the pictures.
std::string board_page();

} // namespace knossos::queens
