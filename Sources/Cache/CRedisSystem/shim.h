#include <hiredis.h>
