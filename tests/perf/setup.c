// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Before the first line: folders for each ICD, and whether it can be used at all.
#include "setup.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The library that an .icd file names. A path with a slash may be relative to the .icd.
static bool library_of(const char *icd, char library[PATH_MAX]) {
    char text[PATH_MAX] = "", folder[PATH_MAX], beside[2 * PATH_MAX];
    FILE *file = fopen(icd, "r");
    if (!file || !fgets(text, sizeof text, file)) {
        if (file)
            fclose(file);
        return false;
    }
    fclose(file);
    text[strcspn(text, "\r\n")] = '\0';
    snprintf(library, PATH_MAX, "%s", text);
    if (text[0] != '/' && strchr(text, '/') && realpath(icd, folder)) {
        *strrchr(folder, '/') = '\0';
        snprintf(beside, sizeof beside, "%s/%s", folder, text);
        if (access(beside, R_OK) == 0)
            snprintf(library, PATH_MAX, "%.*s", PATH_MAX - 1, beside);
    }
    return true;
}

static bool make_folder(char *path, size_t size, const char *parent, const char *name) {
    const int length = snprintf(path, size, "%s/%s", parent, name);
    return length > 0 && (size_t)length < size && mkdir(path, 0700) == 0;
}

// As OCL_ICD_VENDORS, a folder with one .icd means the same to every loader; a file does not.
static bool make_vendors(struct participant *participant, const char *library) {
    char path[600];
    snprintf(path, sizeof path, "%.500s/only.icd", participant->vendors);
    FILE *file = fopen(path, "w");
    return file && fprintf(file, "%s\n", library) > 0 && fclose(file) == 0;
}

static struct participant *new_participant(struct bench *bench, const char *name) {
    char folder[512];
    if (bench->count == MAX_PARTICIPANTS)
        return NULL;
    struct participant *participant = &bench->participants[bench->count];
    snprintf(participant->name, sizeof participant->name, "%s", name);
    if (!make_folder(folder, sizeof folder, bench->folder,
                     bench->count ? participant->name : ".c") ||
        !make_folder(participant->scratch, sizeof participant->scratch, folder, "scratch") ||
        !make_folder(participant->cache, sizeof participant->cache, folder, "cache"))
        return NULL;
    bench->count++;
    return participant;
}

static bool describe(struct bench *bench, struct participant *participant) {
    struct child child;
    struct answer answer;
    double life;
    if (!start_child(&child, participant, "run", &describe_line, 0, 0, NULL))
        return false;
    if (finish_child(&child, bench->options.timeout, &answer, &life) != OUTCOME_OK) {
        fprintf(stderr, "weft-bench: %s: %s\n", participant->name, answer.note);
        return false;
    }
    snprintf(participant->description, sizeof participant->description, "%.255s", answer.note);
    return true;
}

static struct participant *add_participant(struct bench *bench, const char *name) {
    if (!name[0] || name[0] == '.' || strchr(name, '/') || strlen(name) >= NAME_SIZE) {
        fprintf(stderr, "weft-bench: '%s' is no good name for an ICD\n", name);
        return NULL;
    }
    struct participant *participant = new_participant(bench, name);
    if (!participant)
        fprintf(stderr, "weft-bench: %s: too many ICDs, or two of this name\n", name);
    return participant;
}

bool add_preloaded(struct bench *bench, const char *name, const char *library) {
    struct participant *participant = add_participant(bench, name);
    if (!participant)
        return false;
    snprintf(participant->preload, sizeof participant->preload, "%s", library);
    snprintf(participant->description, sizeof participant->description, "C with %.240s", library);
    return true;
}

bool add_icd(struct bench *bench, const char *name, const char *icd) {
    char library[PATH_MAX];
    if (!library_of(icd, library)) {
        fprintf(stderr, "weft-bench: cannot read %s: %s\n", icd, strerror(errno));
        return false;
    }
    struct participant *participant = add_participant(bench, name);
    if (!participant)
        return false;
    snprintf(participant->vendors, sizeof participant->vendors, "%s/%s/vendors", bench->folder,
             participant->name);
    if (mkdir(participant->vendors, 0700) != 0 || !make_vendors(participant, library)) {
        fprintf(stderr, "weft-bench: cannot write below %s\n", bench->folder);
        return false;
    }
    return describe(bench, participant);
}

// Without --icd: whatever is installed, under the names of the .icd files.
bool add_installed_icds(struct bench *bench) {
    static const char vendors[] = "/etc/OpenCL/vendors";
    DIR *folder = opendir(vendors);
    for (struct dirent *entry = folder ? readdir(folder) : NULL; entry; entry = readdir(folder)) {
        char path[PATH_MAX], name[32];
        const size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 4, ".icd") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", vendors, entry->d_name);
        snprintf(name, sizeof name, "%.*s", (int)(length - 4), entry->d_name);
        if (!add_icd(bench, name, path))
            fprintf(stderr, "weft-bench: %s is left out\n", name);
    }
    if (folder)
        closedir(folder);
    return bench->count > 1;
}

bool set_up(struct bench *bench) {
    const char *place = getenv("TMPDIR");
    snprintf(bench->folder, sizeof bench->folder, "%.200s/weft-bench-XXXXXX",
             place && place[0] ? place : "/tmp");
    return mkdtemp(bench->folder) && new_participant(bench, "C");
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

void tear_down(struct bench *bench) {
    if (bench->folder[0])
        nftw(bench->folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}
