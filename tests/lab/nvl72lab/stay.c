// SPDX-License-Identifier: GPL-2.0-or-later
// Loaded into one of Slurm's commands with LD_PRELOAD: the command stays, and runs its main() in a
// child of its own for each list of arguments that it is sent. The program is started and linked,
// and slurm.conf is read, once; what main() makes of its arguments is the command's own code.
//
// Standard input: for each call a length (uint32_t), then that many bytes of arguments, each with
// its terminating zero; READ_AGAIN as the length: slurm.conf is another one. Standard output: exit
// status, length of the output, length of the error output (uint32_t each), then both. The exit
// status NOT_POSSIBLE: slurm.conf cannot be read, which ends the program.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 20, MOST_ARGUMENTS = 1000, AGAIN = 77 };
#define NOT_POSSIBLE UINT32_MAX
#define READ_AGAIN UINT32_MAX

typedef int (*main_function)(int, char**, char**);
typedef int (*start_function)(main_function, int, char**, void (*)(void), void (*)(void),
                              void (*)(void), void*);

static main_function command_main;
static int is_call;  // whether this is a call's child

static int read_all(void* to, size_t size) {
    for (size_t done = 0; done < size;) {
        ssize_t got = read(STDIN_FILENO, (char*)to + done, size - done);
        if (got <= 0) {
            return 0;
        }
        done += (size_t)got;
    }
    return 1;
}

static int write_all(int to, const void* from, size_t size) {
    for (size_t done = 0; done < size;) {
        ssize_t put = write(to, (const char*)from + done, size - done);
        if (put <= 0) {
            return 0;
        }
        done += (size_t)put;
    }
    return 1;
}

static int append(int to, int from, size_t size) {
    char part[4096];
    for (size_t done = 0; done < size;) {
        ssize_t got = pread(from, part, sizeof part, (off_t)done);
        if (got <= 0 || !write_all(to, part, (size_t)got)) {
            return 0;
        }
        done += (size_t)got;
    }
    return 1;
}

static int answer(int to, int status, int out, int err) {
    struct stat printed, said;
    if (fstat(out, &printed) || fstat(err, &said)) {
        return 0;
    }
    uint32_t code = (uint32_t)(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    uint32_t head[] = {code, (uint32_t)printed.st_size, (uint32_t)said.st_size};
    return write_all(to, head, sizeof head) && append(to, out, head[1]) && append(to, err, head[2]);
}

// The command's exit handlers free what the kernel frees anyway.
void exit(int code) {
    static void (*leave)(int);
    if (!is_call) {
        leave = (void (*)(int))dlsym(RTLD_NEXT, "exit");
        leave(code);
    }
    fflush(NULL);
    _exit(code);
}

static _Noreturn void call(int count, char** arguments, char** environment, int out, int err) {
    is_call = 1;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    exit(command_main(count, arguments, environment));
}

static int split(char* text, uint32_t size, char** arguments) {
    int count = 0;
    for (uint32_t at = 0; at < size && count < MOST_ARGUMENTS;
         at += (uint32_t)strlen(text + at) + 1) {
        arguments[count++] = text + at;
    }
    arguments[count] = NULL;
    return count;
}

static void read_configuration(void) {
    static int (*read)(const char*);
    if (!read) {
        read = (int (*)(const char*))dlsym(RTLD_DEFAULT, "slurm_init");
        read(NULL);  // the command's own call finds it done
    }
}

// Answers calls until slurm.conf should be read again, which is AGAIN, or there are no more.
static int answer_calls(char** words, char** environment) {
    static char text[MOST_BYTES + 1];
    for (uint32_t size; read_all(&size, sizeof size);) {
        if (size == READ_AGAIN) {
            return AGAIN;
        }
        if (size > MOST_BYTES || !read_all(text, size)) {
            return 0;
        }
        read_configuration();
        text[size] = 0;
        int out = memfd_create("out", MFD_CLOEXEC), err = memfd_create("err", MFD_CLOEXEC),
            status = 0;
        pid_t child = fork();
        if (child == 0) {
            int given = split(text, size, words + 1);
            call(given + 1, words, environment, out, err);
        }
        if (child < 0 || waitpid(child, &status, 0) != child ||
            !answer(STDOUT_FILENO, status, out, err)) {
            return 0;
        }
        close(out);
        close(err);
    }
    return 0;
}

static int serve(int count, char** arguments, char** environment) {
    (void)count;
    (void)environment;
    unsetenv("LD_PRELOAD");  // sbatch hands its environment to the job
    static char* words[MOST_ARGUMENTS + 2];
    words[0] = arguments[0];
    for (;;) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            _exit(answer_calls(words, environ));
        }
        if (child < 0 || waitpid(child, &status, 0) != child) {
            return 1;
        }
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
            return 0;
        }
        uint32_t head[] = {NOT_POSSIBLE, 0, 0};
        if ((!WIFEXITED(status) || WEXITSTATUS(status) != AGAIN) &&
            !write_all(STDOUT_FILENO, head, sizeof head)) {
            return 1;
        }
    }
}

int __libc_start_main(main_function found, int count, char** arguments, void (*before)(void),
                      void (*after)(void), void (*unload)(void), void* stack) {
    command_main = found;
    start_function start = (start_function)dlsym(RTLD_NEXT, "__libc_start_main");
    return start(serve, count, arguments, before, after, unload, stack);
}
