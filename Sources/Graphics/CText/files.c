#define _XOPEN_SOURCE 700
#include "CText.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { FILE_LIMIT = 4096, DEPTH_LIMIT = 8 };

typedef struct {
    char *paths[FILE_LIMIT];
    int count;
} found_files;

static bool is_font(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot
        && (!strcasecmp(dot, ".ttf") || !strcasecmp(dot, ".otf") || !strcasecmp(dot, ".ttc") || !strcasecmp(dot, ".otc"));
}

static void search(const char *folder, int depth, found_files *found) {
    DIR *directory = depth < DEPTH_LIMIT ? opendir(folder) : NULL;
    if (!directory) return;
    struct dirent *entry;
    while (found->count < FILE_LIMIT && (entry = readdir(directory))) {
        if (entry->d_name[0] == '.') continue;
        size_t size = strlen(folder) + strlen(entry->d_name) + 2;
        char *path = malloc(size);
        if (!path) break;
        snprintf(path, size, "%s/%s", folder, entry->d_name);
        struct stat link, file;
        if (lstat(path, &link) == 0 && S_ISDIR(link.st_mode)) {
            search(path, depth + 1, found);
        } else if (is_font(path) && strchr(path, '\n') == NULL && stat(path, &file) == 0 && S_ISREG(file.st_mode)) {
            found->paths[found->count++] = path;
            continue;
        }
        free(path);
    }
    closedir(directory);
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

char *ctext_font_files(const char *folder) {
    found_files *found = malloc(sizeof *found);
    if (!found) return NULL;
    found->count = 0;
    search(folder, 0, found);
    qsort(found->paths, (size_t)found->count, sizeof found->paths[0], by_name);
    size_t size = 1;
    for (int i = 0; i < found->count; i++) size += strlen(found->paths[i]) + 1;
    char *list = found->count > 0 ? malloc(size) : NULL, *end = list;
    for (int i = 0; i < found->count; i++) {
        if (end) end += sprintf(end, "%s\n", found->paths[i]);
        free(found->paths[i]);
    }
    free(found);
    return list;
}
