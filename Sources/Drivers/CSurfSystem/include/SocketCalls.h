// The few socket calls that Swift cannot make: those with control messages (CMSG_* are macros),
// those behind _GNU_SOURCE, and those with variable arguments. No policy lives here.
//
// Every function returns a result >= 0, or a negated errno.
#ifndef SURF_SOCKET_CALLS_H
#define SURF_SOCKET_CALLS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/// The most datagrams of one `surf_send_batch` or one `surf_send_segmented`.
enum { SURF_SEND_COUNT_MAX = 44 };

/// The most buffers that one `surf_inbox_receive` fills.
enum { SURF_INBOX_COUNT = 32 };

/// Datagrams of one size (the last may be smaller), SURF_SEND_COUNT_MAX at most. Each is the next
/// `head_size` octets of `heads`, followed by the next octets of `bytes`.
struct surf_segments {
  const void *bytes;
  size_t size;
  const void *heads;
  size_t head_size;
  /// Octets of a datagram, with its head.
  uint16_t segment_size;
};

/// Sends the datagrams with one system call.
int surf_send_segmented(int fd, const struct sockaddr_in *to, struct surf_segments segments);

/// Sends `count` datagrams that follow one another at `bytes`; returns how many were accepted.
int surf_send_batch(int fd, const struct sockaddr_in *to, const void *bytes, const uint16_t *sizes,
                    unsigned count);

/// Sends one datagram.
int surf_send_one(int fd, const struct sockaddr_in *to, const void *bytes, size_t size);

/// Lets the kernel hand over runs of equal datagrams as one buffer (UDP_GRO).
int surf_enable_coalescing(int fd);

/// Preallocated buffers for one recvmmsg.
struct surf_inbox;

/// The contents of one buffer of the inbox.
struct surf_received {
  const void *bytes;
  size_t size;
  /// Size of each datagram in the buffer (the last may be smaller); 0 if it holds just one.
  size_t segment_size;
  struct sockaddr_in from;
  /// The datagram was larger than the buffer.
  bool is_truncated;
  /// Whether `drop_count` (SO_RXQ_OVFL: since the socket was made, modulo 2^32) is known.
  bool has_drop_count;
  uint32_t drop_count;
};

/// NULL if there is no memory.
struct surf_inbox *surf_inbox_create(void);
void surf_inbox_free(struct surf_inbox *inbox);

/// Fills at most `limit` buffers of the inbox, 1 to SURF_INBOX_COUNT, with the datagrams that wait
/// in the socket. Returns the number of buffers filled.
int surf_inbox_receive(struct surf_inbox *inbox, int fd, unsigned limit);

/// Buffer `index` of the last `surf_inbox_receive`; good until the next.
struct surf_received surf_inbox_at(const struct surf_inbox *inbox, unsigned index);

/// accept4: the connection does not block, and child processes do not inherit it.
int surf_accept(int fd, struct sockaddr *peer, socklen_t *size);

/// The interface's largest IP packet, in bytes.
int surf_interface_mtu(int fd, const char *name);

/// Returns freed memory to the system; otherwise the C library keeps it.
void surf_trim_memory(void);

#endif
