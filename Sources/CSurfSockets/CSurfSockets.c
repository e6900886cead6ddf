#include "CSurfSockets.h"
