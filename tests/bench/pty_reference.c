/*
 * What a pseudo-terminal can give on this machine: the shortest loop in C, to measure ours against.
 *
 *   pty_reference read PROGRAM ARGS...   reads all that the program prints; bytes, seconds and CPU seconds as JSON
 *   pty_reference echo COUNT             keys typed one after the other into a raw cat; microseconds of each as JSON
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { BUFFER_BYTES = 64 * 1024, GAP_US = 300 };

static void fail(const char *call) {
  perror(call);
  exit(1);
}

static double now_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static double cpu_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

/* Starts the program on a new terminal of 100 by 30, which is its controlling one. */
static pid_t start(char **argv, int *master) {
  char name[128];
  struct winsize size = {.ws_row = 30, .ws_col = 100};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  pid_t pid;

  *master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (*master < 0 || grantpt(*master) != 0 || unlockpt(*master) != 0) fail("posix_openpt");
  if (ptsname_r(*master, name, sizeof name) != 0) fail("ptsname_r");
  ioctl(*master, TIOCSWINSZ, &size);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&actions, 0, 1);
  posix_spawn_file_actions_adddup2(&actions, 0, 2);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  errno = posix_spawnp(&pid, argv[0], &actions, &attributes, argv, environ);
  if (errno != 0) fail("posix_spawnp");
  return pid;
}

static void read_all(char **argv) {
  static char buffer[BUFFER_BYTES];
  int master;
  long long total = 0;
  double begin = now_seconds();
  pid_t pid = start(argv, &master);

  /* A terminal whose program has ended answers with EIO. */
  for (ssize_t count; (count = read(master, buffer, sizeof buffer)) > 0;) total += count;
  double seconds = now_seconds() - begin;
  waitpid(pid, NULL, 0);
  printf("{\"bytes\":%lld,\"seconds\":%.6f,\"cpuSeconds\":%.6f}\n", total, seconds, cpu_seconds());
}

static void echo_keys(int count) {
  char *argv[] = {"sh", "-c", "stty raw -echo; printf r; exec cat", NULL};
  char key = 'a';
  int master;
  pid_t pid = start(argv, &master);

  if (read(master, &key, 1) != 1) fail("read");
  printf("{\"us\":[");
  for (int index = 0; index < count; index++) {
    double begin = now_seconds();
    if (write(master, &key, 1) != 1 || read(master, &key, 1) != 1) fail("echo");
    printf("%s%.1f", index == 0 ? "" : ",", (now_seconds() - begin) * 1e6);
    usleep(GAP_US);
  }
  printf("]}\n");
  kill(pid, SIGKILL);
  waitpid(pid, NULL, 0);
}

int main(int count, char **arguments) {
  if (count >= 3 && strcmp(arguments[1], "read") == 0) {
    read_all(arguments + 2);
  } else if (count == 3 && strcmp(arguments[1], "echo") == 0) {
    echo_keys(atoi(arguments[2]));
  } else {
    fprintf(stderr, "usage: pty_reference read PROGRAM ARGS... | echo COUNT\n");
    return 2;
  }
  return 0;
}
