#ifndef C_SURF_SOCKETS_H
#define C_SURF_SOCKETS_H
#endif
