#pragma once

#include <knossos/armies/board.hpp>
#include <knossos/domain/artefact.hpp>

namespace knossos::armies {

ArtefactPtr board_artefact(Board board);

} // namespace knossos::armies
