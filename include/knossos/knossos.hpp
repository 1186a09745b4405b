#pragma once

#include <knossos/run/run.hpp>
#include <knossos/version.hpp>
