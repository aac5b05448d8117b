/*
 * A window without a page, for the terminals bench: it takes output and throws it away, acknowledges, and types. The
 * same program drives every server, so that what the client costs is the same for all.
 *
 *   ws_client KIND PORT TOKEN throughput SESSION BYTES    starts the session's program by a newline, reads BYTES
 *   ws_client KIND PORT TOKEN echo SESSION KEYS GAP_US [FLOODING_SESSION...]
 *   ws_client KIND PORT TOKEN attach SESSION              until the screen is there, then until all lines are
 *   ws_client KIND PORT TOKEN hold MS SESSION...          shows the sessions for so long
 *
 * KIND is idea (core/terminals/wire.ts, web/api/socket_messages.ts: one socket for all sessions) or peer
 * (peer_server.mjs: a socket each). One line of JSON is printed.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { MAX_STREAMS = 256, READ_BYTES = 256 * 1024, ACKNOWLEDGE_BYTES = 64 * 1024, ACKNOWLEDGE_AT_REST_BYTES = 4 * 1024, PATIENCE_S = 300 };
enum { TEXT = 1, BINARY = 2, CLOSE = 8, PING = 9, PONG = 10 };
enum { OUTPUT = 1, SNAPSHOT_BEGIN = 3, SNAPSHOT_END = 4, EXITED = 5, CLOSED = 6 };
enum { INPUT = 0x41, ACKNOWLEDGE = 0x42, HISTORY = 0x46 };

struct socket {
  int fd;
  uint8_t *buffer;
  size_t length, capacity;
  int ended;
};

struct stream {
  struct socket *socket;
  uint32_t channel, sequence;
  /* Live output, and that with what snapshots brought. */
  uint64_t bytes, all_bytes, unacknowledged;
  int attached, in_snapshot, snapshots, ended;
};

static struct socket sockets[MAX_STREAMS];
static struct stream streams[MAX_STREAMS];
/* Opened ahead, for the next stream. */
static struct socket *ready;
static int socket_count, stream_count, is_idea, port;
static const char *token;

static void fail(const char *what) {
  fprintf(stderr, "ws_client: %s: %s\n", what, strerror(errno));
  exit(1);
}

static double now_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void put_u32(uint8_t *at, uint32_t value) {
  for (int byte = 0; byte < 4; byte++) at[byte] = (uint8_t)(value >> (8 * byte));
}

static uint32_t get_u32(const uint8_t *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void write_all(struct socket *socket, const void *data, size_t length) {
  const uint8_t *at = data;
  while (length > 0) {
    ssize_t written = write(socket->fd, at, length);
    if (written < 0 && (errno == EAGAIN || errno == EINTR)) {
      struct pollfd wait = {socket->fd, POLLOUT, 0};
      poll(&wait, 1, 1000);
    } else if (written < 0) {
      socket->ended = 1;
      return;
    } else {
      at += written;
      length -= (size_t)written;
    }
  }
}

/* The mask is zero, which the protocol allows: masking is no part of what is measured. */
static void send_frame(struct socket *socket, int opcode, const void *payload, size_t length) {
  uint8_t frame[1024];
  size_t header = 2;
  if (length > sizeof frame - 8) fail("frame too long");
  frame[0] = (uint8_t)(0x80 | opcode);
  if (length < 126) {
    frame[1] = (uint8_t)(0x80 | length);
  } else {
    frame[1] = 0x80 | 126;
    frame[2] = (uint8_t)(length >> 8);
    frame[3] = (uint8_t)length;
    header = 4;
  }
  memset(frame + header, 0, 4);
  memcpy(frame + header + 4, payload, length);
  write_all(socket, frame, header + 4 + length);
}

static void send_text(struct socket *socket, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  send_frame(socket, TEXT, text, (size_t)length);
}

static struct socket *open_socket(void) {
  struct socket *opened = &sockets[socket_count++];
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  int on = 1;
  char request[1024];
  opened->capacity = 4 * READ_BYTES;
  opened->buffer = malloc(opened->capacity);
  opened->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(opened->fd, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
  setsockopt(opened->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  int length = snprintf(request, sizeof request,
                        "GET /api/socket?viewer=bench%d HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n"
                        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                        "Sec-WebSocket-Key: dGVybWluYWwgYmVuY2ghIQ==\r\n\r\n",
                        (int)getpid(), port, token);
  write_all(opened, request, (size_t)length);
  for (;;) {
    ssize_t got = read(opened->fd, opened->buffer + opened->length, READ_BYTES);
    if (got <= 0) fail("handshake");
    opened->length += (size_t)got;
    uint8_t *end = memmem(opened->buffer, opened->length, "\r\n\r\n", 4);
    if (end == NULL) continue;
    if (memcmp(opened->buffer, "HTTP/1.1 101", 12) != 0) {
      fprintf(stderr, "%.*s\n", (int)opened->length, opened->buffer);
      exit(1);
    }
    size_t head = (size_t)(end + 4 - opened->buffer);
    opened->length -= head;
    memmove(opened->buffer, end + 4, opened->length);
    break;
  }
  fcntl(opened->fd, F_SETFL, O_NONBLOCK);
  return opened;
}

static void acknowledge(struct stream *stream, uint64_t from_bytes) {
  uint8_t frame[9] = {ACKNOWLEDGE};
  if (stream->unacknowledged < from_bytes) return;
  put_u32(frame + 1, stream->channel);
  put_u32(frame + 5, (uint32_t)stream->unacknowledged);
  send_frame(stream->socket, BINARY, frame, sizeof frame);
  stream->unacknowledged = 0;
}

static void take_output(struct stream *stream, size_t length) {
  if (!stream->in_snapshot) stream->bytes += length;
  stream->all_bytes += length;
  stream->unacknowledged += length;
  acknowledge(stream, ACKNOWLEDGE_BYTES);
}

static void take_idea(struct socket *socket, int opcode, const uint8_t *payload, size_t length) {
  if (opcode == TEXT) {
    static const char ping[] = "{\"type\":\"ping\"}", failed[] = "{\"type\":\"attachFailed\"";
    if (length == sizeof ping - 1 && memcmp(payload, ping, length) == 0) send_text(socket, "{\"type\":\"pong\"}");
    if (length > sizeof failed && memcmp(payload, failed, sizeof failed - 1) == 0) fail("attach");
    return;
  }
  uint32_t channel = length < 5 ? MAX_STREAMS : get_u32(payload + 1);
  if (channel >= (uint32_t)stream_count) fail("frame of no channel");
  struct stream *stream = &streams[channel];
  switch (payload[0]) {
    case OUTPUT: take_output(stream, length - 5); break;
    case SNAPSHOT_BEGIN: stream->in_snapshot = 1; break;
    case SNAPSHOT_END: stream->in_snapshot = 0; stream->attached = 1; stream->snapshots++; break;
    case EXITED: case CLOSED: stream->ended = 1; break;
  }
}

/* Raw output; a text "M" ends the snapshot with which each attach begins. */
static void take_peer(struct socket *socket, int opcode, size_t length) {
  struct stream *stream = &streams[socket - sockets];
  if (opcode == BINARY) {
    take_output(stream, length);
  } else {
    stream->in_snapshot = 0;
    stream->attached = 1;
    stream->snapshots++;
  }
}

static void take_frame(struct socket *socket, int opcode, const uint8_t *payload, size_t length) {
  if (opcode == CLOSE) socket->ended = 1;
  else if (opcode == PING) send_frame(socket, PONG, payload, length);
  else if (opcode != TEXT && opcode != BINARY) return;
  else if (is_idea) take_idea(socket, opcode, payload, length);
  else take_peer(socket, opcode, length);
}

static void take_frames(struct socket *socket) {
  size_t at = 0;
  while (socket->length - at >= 2) {
    const uint8_t *frame = socket->buffer + at;
    size_t header = 2;
    uint64_t length = frame[1] & 127;
    if (length == 126) {
      header = 4;
      if (socket->length - at < header) break;
      length = (uint64_t)frame[2] << 8 | frame[3];
    } else if (length == 127) {
      header = 10;
      if (socket->length - at < header) break;
      length = 0;
      for (int byte = 0; byte < 8; byte++) length = length << 8 | frame[2 + byte];
    }
    if (socket->length - at < header + length) break;
    take_frame(socket, frame[0] & 15, frame + header, length);
    at += header + length;
  }
  socket->length -= at;
  if (at > 0) memmove(socket->buffer, socket->buffer + at, socket->length);
}

static void read_socket(struct socket *socket) {
  for (int turn = 0; turn < 8; turn++) {
    if (socket->capacity - socket->length < READ_BYTES) {
      socket->capacity *= 2;
      socket->buffer = realloc(socket->buffer, socket->capacity);
    }
    ssize_t got = read(socket->fd, socket->buffer + socket->length, READ_BYTES);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) {
      socket->ended = 1;
      return;
    }
    socket->length += (size_t)got;
    take_frames(socket);
  }
}

static void wait_for_output(int timeout_ms) {
  struct pollfd waits[MAX_STREAMS];
  for (int index = 0; index < socket_count; index++) {
    waits[index] = (struct pollfd){sockets[index].ended ? -1 : sockets[index].fd, POLLIN, 0};
  }
  poll(waits, (nfds_t)socket_count, timeout_ms);
  for (int index = 0; index < socket_count; index++) {
    if (waits[index].revents) read_socket(&sockets[index]);
  }
  for (int index = 0; index < stream_count; index++) acknowledge(&streams[index], ACKNOWLEDGE_AT_REST_BYTES);
}

static int has_ended(const struct stream *stream) { return stream->ended || stream->socket->ended; }

static struct stream *begin_attach(const char *session) {
  struct stream *stream = &streams[stream_count];
  stream->channel = (uint32_t)stream_count++;
  stream->socket = ready != NULL ? ready : open_socket();
  ready = is_idea ? stream->socket : NULL;
  if (is_idea) {
    if (stream_count == 1) send_text(stream->socket, "{\"type\":\"hello\"}");
    send_text(stream->socket,
              "{\"type\":\"attach\",\"channel\":%u,\"sessionId\":\"%s\",\"visible\":true,\"focused\":false}",
              stream->channel, session);
  } else {
    stream->in_snapshot = 1;
    send_text(stream->socket, "A%s", session);
  }
  return stream;
}

static struct stream *attach(const char *session) {
  struct stream *stream = begin_attach(session);
  double begin = now_seconds();
  while (!stream->attached) {
    if (has_ended(stream) || now_seconds() - begin > PATIENCE_S) fail("attach");
    wait_for_output(1000);
  }
  return stream;
}

static void type_key(struct stream *stream, uint8_t key) {
  uint8_t frame[10] = {INPUT};
  put_u32(frame + 1, stream->channel);
  put_u32(frame + 5, ++stream->sequence);
  frame[9] = key;
  send_frame(stream->socket, BINARY, frame, sizeof frame);
}

static void wait_until(double end) {
  double left;
  while ((left = end - now_seconds()) > 0) {
    if (left < 0.001 && socket_count == 1) usleep((useconds_t)(left * 1e6));
    else wait_for_output(left < 0.001 ? 0 : (int)(left * 1e3));
  }
}

static void throughput(char **arguments) {
  struct stream *stream = attach(arguments[0]);
  uint64_t expected = strtoull(arguments[1], NULL, 10);
  struct rusage usage;
  double begin = now_seconds();
  type_key(stream, '\n');
  while (stream->bytes < expected && !has_ended(stream) && now_seconds() - begin < PATIENCE_S) wait_for_output(1000);
  double seconds = now_seconds() - begin;
  getrusage(RUSAGE_SELF, &usage);
  printf("{\"bytes\":%lu,\"seconds\":%.4f,\"clientCpuSeconds\":%.3f}\n", (unsigned long)stream->bytes, seconds,
         (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
             (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6);
}

static void echo(char **arguments, int count) {
  struct stream *stream = attach(arguments[0]);
  int keys = atoi(arguments[1]);
  double gap = atoi(arguments[2]) * 1e-6;
  for (int index = 3; index < count; index++) type_key(attach(arguments[index]), '\n');
  wait_until(now_seconds() + 0.5);
  double begun = now_seconds();
  uint64_t flooded = 0;
  for (int index = 1; index < stream_count; index++) flooded += streams[index].bytes;
  printf("{\"us\":[");
  for (int key = 0; key < keys; key++) {
    uint64_t before = stream->bytes;
    double begin = now_seconds();
    type_key(stream, 'a');
    while (stream->bytes == before) {
      if (has_ended(stream) || now_seconds() - begin > 30) fail("echo");
      wait_for_output(1000);
    }
    printf("%s%.1f", key == 0 ? "" : ",", (now_seconds() - begin) * 1e6);
    wait_until(now_seconds() + gap);
  }
  uint64_t bytes = 0;
  for (int index = 1; index < stream_count; index++) bytes += streams[index].bytes;
  printf("],\"floodMegabytesPerSecond\":%.2f}\n", (double)(bytes - flooded) / 1e6 / (now_seconds() - begun));
}

static void measure_attach(char **arguments) {
  /* A page that is loaded has its connection before it asks for its terminals. */
  ready = open_socket();
  double begin = now_seconds();
  struct stream *stream = attach(arguments[0]);
  double screen = now_seconds() - begin;
  uint64_t screen_bytes = stream->all_bytes;
  if (is_idea) {
    uint8_t frame[5] = {HISTORY};
    put_u32(frame + 1, stream->channel);
    send_frame(stream->socket, BINARY, frame, sizeof frame);
    while (stream->snapshots < 2 && !has_ended(stream)) wait_for_output(1000);
  }
  printf("{\"screenMs\":%.3f,\"allLinesMs\":%.3f,\"screenBytes\":%lu,\"allBytes\":%lu}\n", screen * 1e3,
         (now_seconds() - begin) * 1e3, (unsigned long)screen_bytes, (unsigned long)stream->all_bytes);
}

static void hold(char **arguments, int count) {
  for (int index = 1; index < count; index++) attach(arguments[index]);
  printf("{\"attached\":%d}\n", stream_count);
  fflush(stdout);
  wait_until(now_seconds() + atoi(arguments[0]) * 1e-3);
}

int main(int count, char **arguments) {
  if (count < 6) {
    fprintf(stderr, "usage: ws_client idea|peer PORT TOKEN throughput|echo|attach|hold ...\n");
    return 2;
  }
  signal(SIGPIPE, SIG_IGN);
  is_idea = strcmp(arguments[1], "idea") == 0;
  port = atoi(arguments[2]);
  token = arguments[3];
  if (strcmp(arguments[4], "throughput") == 0) throughput(arguments + 5);
  else if (strcmp(arguments[4], "echo") == 0) echo(arguments + 5, count - 5);
  else if (strcmp(arguments[4], "attach") == 0) measure_attach(arguments + 5);
  else hold(arguments + 5, count - 5);
  return 0;
}
