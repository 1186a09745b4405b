#pragma once

#include <knossos/run/ask_tell.hpp>
#include <knossos/run/run.hpp>
#include <knossos/version.hpp>
