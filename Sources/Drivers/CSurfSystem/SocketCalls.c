#ifdef __linux__
#define _GNU_SOURCE
#include "SocketCalls.h"

#include <errno.h>
#include <malloc.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>

// linux/udp.h; older C libraries lack them.
#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif
#ifndef UDP_GRO
#define UDP_GRO 104
#endif

// A coalesced buffer may be as large as the largest IPv4 packet.
enum { BUFFER_SIZE = 65536 };

// One word for UDP_GRO and one for SO_RXQ_OVFL, with room for a timestamp that someone else asked
// for.
enum { CONTROL_SIZE = 128 };

struct surf_inbox {
  struct mmsghdr headers[SURF_INBOX_COUNT];
  struct iovec parts[SURF_INBOX_COUNT];
  struct sockaddr_in senders[SURF_INBOX_COUNT];
  _Alignas(struct cmsghdr) uint8_t controls[SURF_INBOX_COUNT][CONTROL_SIZE];
  uint8_t buffers[SURF_INBOX_COUNT][BUFFER_SIZE];
};

static struct msghdr header_to(const struct sockaddr_in *to, struct iovec *part) {
  struct msghdr header;
  memset(&header, 0, sizeof header);
  header.msg_name = (void *)to;
  header.msg_namelen = sizeof *to;
  header.msg_iov = part;
  header.msg_iovlen = 1;
  return header;
}

static int send_header(int fd, const struct msghdr *header) {
  ssize_t sent;
  do {
    sent = sendmsg(fd, header, MSG_DONTWAIT | MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : 0;
}

// Lets the kernel gather heads and pieces; returns the number of parts.
static size_t gather(struct surf_segments segments, struct iovec parts[2 * SURF_SEND_COUNT_MAX]) {
  if (segments.head_size == 0) {
    parts[0] = (struct iovec){(void *)segments.bytes, segments.size};
    return 1;
  }
  uint8_t *head = (uint8_t *)segments.heads, *piece = (uint8_t *)segments.bytes;
  size_t piece_size = segments.segment_size - segments.head_size, rest = segments.size, count = 0;
  while (rest > 0 && count < 2 * SURF_SEND_COUNT_MAX) {
    size_t size = rest < piece_size ? rest : piece_size;
    parts[count++] = (struct iovec){head, segments.head_size};
    parts[count++] = (struct iovec){piece, size};
    head += segments.head_size;
    piece += size;
    rest -= size;
  }
  return count;
}

int surf_send_segmented(int fd, const struct sockaddr_in *to, struct surf_segments segments) {
  uint16_t segment_size = segments.segment_size;
  _Alignas(struct cmsghdr) uint8_t control[CMSG_SPACE(sizeof segment_size)] = {0};
  struct iovec parts[2 * SURF_SEND_COUNT_MAX];
  struct msghdr header = header_to(to, parts);
  header.msg_iovlen = gather(segments, parts);
  header.msg_control = control;
  header.msg_controllen = sizeof control;
  struct cmsghdr *message = CMSG_FIRSTHDR(&header);
  message->cmsg_level = IPPROTO_UDP;
  message->cmsg_type = UDP_SEGMENT;
  message->cmsg_len = CMSG_LEN(sizeof segment_size);
  memcpy(CMSG_DATA(message), &segment_size, sizeof segment_size);
  return send_header(fd, &header);
}

int surf_send_batch(int fd, const struct sockaddr_in *to, const void *bytes, const uint16_t *sizes,
                    unsigned count) {
  struct mmsghdr headers[SURF_SEND_COUNT_MAX];
  struct iovec parts[SURF_SEND_COUNT_MAX];
  if (count > SURF_SEND_COUNT_MAX) count = SURF_SEND_COUNT_MAX;
  uint8_t *next = (uint8_t *)bytes;
  for (unsigned i = 0; i < count; i++) {
    parts[i] = (struct iovec){next, sizes[i]};
    headers[i] = (struct mmsghdr){.msg_hdr = header_to(to, &parts[i])};
    next += sizes[i];
  }
  int sent;
  do {
    sent = sendmmsg(fd, headers, count, MSG_DONTWAIT | MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : sent;
}

int surf_send_one(int fd, const struct sockaddr_in *to, const void *bytes, size_t size) {
  struct iovec part = {(void *)bytes, size};
  struct msghdr header = header_to(to, &part);
  return send_header(fd, &header);
}

int surf_enable_coalescing(int fd) {
  int on = 1;
  return setsockopt(fd, IPPROTO_UDP, UDP_GRO, &on, sizeof on) < 0 ? -errno : 0;
}

struct surf_inbox *surf_inbox_create(void) {
  // Not cleared: pages of buffers that never fill are then never touched.
  struct surf_inbox *inbox = malloc(sizeof *inbox);
  if (inbox == NULL) return NULL;
  for (unsigned i = 0; i < SURF_INBOX_COUNT; i++) {
    inbox->parts[i] = (struct iovec){inbox->buffers[i], BUFFER_SIZE};
  }
  return inbox;
}

void surf_inbox_free(struct surf_inbox *inbox) { free(inbox); }

int surf_inbox_receive(struct surf_inbox *inbox, int fd, unsigned limit) {
  for (unsigned i = 0; i < limit; i++) {
    // The kernel overwrites the lengths and the flags at every call.
    struct msghdr header = header_to(&inbox->senders[i], &inbox->parts[i]);
    header.msg_control = inbox->controls[i];
    header.msg_controllen = CONTROL_SIZE;
    inbox->headers[i] = (struct mmsghdr){.msg_hdr = header};
  }
  int count;
  do {
    count = recvmmsg(fd, inbox->headers, limit, MSG_DONTWAIT, NULL);
  } while (count < 0 && errno == EINTR);
  return count < 0 ? -errno : count;
}

static void read_control(struct cmsghdr *message, struct surf_received *received) {
  if (message->cmsg_level == IPPROTO_UDP && message->cmsg_type == UDP_GRO) {
    int size;
    memcpy(&size, CMSG_DATA(message), sizeof size);
    received->segment_size = size > 0 ? (size_t)size : 0;
  } else if (message->cmsg_level == SOL_SOCKET && message->cmsg_type == SO_RXQ_OVFL) {
    memcpy(&received->drop_count, CMSG_DATA(message), sizeof received->drop_count);
    received->has_drop_count = true;
  }
}

struct surf_received surf_inbox_at(const struct surf_inbox *inbox, unsigned index) {
  struct msghdr header = inbox->headers[index].msg_hdr;
  struct surf_received received = {
      .bytes = inbox->buffers[index],
      .size = inbox->headers[index].msg_len,
      .from = inbox->senders[index],
      .is_truncated = (header.msg_flags & MSG_TRUNC) != 0,
  };
  for (struct cmsghdr *message = CMSG_FIRSTHDR(&header); message != NULL;
       message = CMSG_NXTHDR(&header, message)) {
    read_control(message, &received);
  }
  return received;
}

int surf_accept(int fd, struct sockaddr *peer, socklen_t *size) {
  int accepted = accept4(fd, peer, size, SOCK_NONBLOCK | SOCK_CLOEXEC);
  return accepted < 0 ? -errno : accepted;
}

int surf_interface_mtu(int fd, const char *name) {
  struct ifreq request;
  memset(&request, 0, sizeof request);
  strncpy(request.ifr_name, name, sizeof request.ifr_name - 1);
  return ioctl(fd, SIOCGIFMTU, &request) < 0 ? -errno : request.ifr_mtu;
}

void surf_trim_memory(void) {
#ifdef __GLIBC__
  // malloc_trim(3) keeps the top of every arena but the first. free(3) cuts the top of a block's
  // own arena, here the caller's, once it is larger than the trim threshold. Unless it is set,
  // glibc raises that threshold to 64 MiB. The block is larger than those that glibc caches (up to
  // 1 KiB), and smaller than those that it maps (128 KiB and more).
  mallopt(M_TRIM_THRESHOLD, 128 * 1024);
  void *volatile block = malloc(96 * 1024);
  free(block);
  malloc_trim(0);
#endif
}
#endif
