// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One line about the machine, for the head of the table.
#include "parent.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

struct machine describe_machine(void) {
    struct machine machine = {.cpu = "unknown CPU"};
    char text[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(text, sizeof text, file)) {
        const char *value = strstr(text, ": ");
        if (strncmp(text, "model name", 10) == 0 && value) {
            snprintf(machine.cpu, sizeof machine.cpu, "%.*s", (int)strcspn(value + 2, "\n"),
                     value + 2);
            break;
        }
    }
    if (file)
        fclose(file);
    cpu_set_t set;
    machine.cpus = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    struct utsname name;
    if (uname(&name) == 0)
        snprintf(machine.kernel, sizeof machine.kernel, "%.20s %.100s", name.sysname, name.release);
    if (getloadavg(&machine.load, 1) != 1)
        machine.load = 0;
    const time_t now = time(NULL);
    struct tm day;
    strftime(machine.date, sizeof machine.date, "%Y-%m-%d %H:%M UTC", gmtime_r(&now, &day));
    return machine;
}
