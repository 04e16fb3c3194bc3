// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* A parameter list as OpenCL C has it, as the arguments of a kernel. */

#include "runtime/builtin.h"

#include <stdio.h>

/* A parameter while its words are read. */
typedef struct parameter {
    char type[64], name[64];
    cl_kernel_arg_address_qualifier address;
    cl_kernel_arg_type_qualifier qualifiers;
    bool has_address, is_pointer, is_unsigned, is_signed;
} parameter;

static const struct {
    const char *name;
    uint8_t bytes;
    const char *other; /* with `unsigned` */
} VALUES[] = {{"char", 1, "uchar"}, {"uchar", 1, NULL}, {"short", 2, "ushort"}, {"ushort", 2, NULL},
              {"int", 4, "uint"},   {"uint", 4, NULL},  {"long", 8, "ulong"},   {"ulong", 8, NULL},
              {"size_t", 8, NULL},  {"float", 4, NULL}, {"double", 8, NULL}};

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_part(char c) {
    return is_letter(c) || (c >= '0' && c <= '9');
}

static const char *skip_spaces(const char *text) {
    return text + strspn(text, " \t\n");
}

/* One word that is no name. False: it is one. */
static bool take_qualifier(parameter *p, const char *word) {
    static const struct {
        const char *name;
        cl_kernel_arg_address_qualifier address;
    } addresses[] = {{"global", CL_KERNEL_ARG_ADDRESS_GLOBAL},
                     {"constant", CL_KERNEL_ARG_ADDRESS_CONSTANT},
                     {"local", CL_KERNEL_ARG_ADDRESS_LOCAL}};
    const char *plain = strncmp(word, "__", 2) == 0 ? word + 2 : word;

    for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++)
        if (strcmp(plain, addresses[i].name) == 0) {
            p->address = addresses[i].address;
            return p->has_address = true;
        }
    if (strcmp(plain, "const") == 0)
        /* "const" behind the star is the pointer's, and nobody's business. */
        p->qualifiers |= p->is_pointer ? 0 : CL_KERNEL_ARG_TYPE_CONST;
    else if (strcmp(plain, "volatile") == 0)
        p->qualifiers |= p->is_pointer ? 0 : CL_KERNEL_ARG_TYPE_VOLATILE;
    else if (strcmp(plain, "restrict") == 0 && p->is_pointer)
        p->qualifiers |= CL_KERNEL_ARG_TYPE_RESTRICT;
    else if (strcmp(plain, "unsigned") == 0)
        p->is_unsigned = true;
    else if (strcmp(plain, "signed") == 0)
        p->is_signed = true;
    else
        return strcmp(plain, "private") == 0 || strcmp(plain, "struct") == 0;
    return true;
}

/* Type, then name. False: a third word. */
static bool take_name(parameter *p, const char *word) {
    bool has_type = p->type[0] || (p->is_pointer && (p->is_unsigned || p->is_signed));
    char *to = has_type ? p->name : p->type;

    if (*to)
        return false;
    snprintf(to, sizeof(p->type), "%s", word);
    return true;
}

/* Reads up to ',' or the end; the rest, or NULL: `why`. */
static const char *read_words(const char *text, parameter *p, char *why) {
    char word[64];

    while (*(text = skip_spaces(text)) && *text != ',') {
        if (*text == '*') {
            if (p->is_pointer || !(p->type[0] || p->is_unsigned || p->is_signed)) {
                snprintf(why, WEFT_BUILTIN_REASON, "the star at \"%.40s\" is one too many", text);
                return NULL;
            }
            p->is_pointer = true;
            text++;
            continue;
        }
        size_t length = 0;
        while (is_part(text[length]))
            length++;
        if (!length || !is_letter(*text) || length >= sizeof(word)) {
            snprintf(why, WEFT_BUILTIN_REASON, "\"%.40s\" cannot be part of a parameter list",
                     text);
            return NULL;
        }
        memcpy(word, text, length);
        word[length] = 0;
        if (!take_qualifier(p, word) && !take_name(p, word)) {
            snprintf(why, WEFT_BUILTIN_REASON, "\"%s\" follows a type and a name", word);
            return NULL;
        }
        text += length;
    }
    return text;
}

static uint8_t value_bytes(const char *type) {
    for (size_t i = 0; i < sizeof(VALUES) / sizeof(VALUES[0]); i++)
        if (strcmp(type, VALUES[i].name) == 0)
            return VALUES[i].bytes;
    return 0;
}

/* "unsigned int" is "uint", "unsigned" alone likewise. */
static bool name_type(parameter *p) {
    if (!p->is_unsigned && !p->is_signed)
        return p->type[0] != 0;
    if (!p->name[0] && !value_bytes(p->type)) { /* "unsigned n": the word is its name */
        strcpy(p->name, p->type);
        p->type[0] = 0;
    }
    if (!p->type[0])
        strcpy(p->type, "int");
    for (size_t i = 0; i < sizeof(VALUES) / sizeof(VALUES[0]); i++)
        if (strcmp(p->type, VALUES[i].name) == 0 && VALUES[i].other) {
            if (p->is_unsigned)
                strcpy(p->type, VALUES[i].other);
            return true;
        }
    return false;
}

static bool check_parameter(parameter *p, char *why) {
    if (!name_type(p)) {
        snprintf(why, WEFT_BUILTIN_REASON, "parameter \"%s\" has no type that is known",
                 p->name[0] ? p->name : p->type);
        return false;
    }
    if (p->is_pointer && !p->has_address) {
        snprintf(why, WEFT_BUILTIN_REASON,
                 "the pointer \"%s\" needs an address space: global, constant or local",
                 p->name[0] ? p->name : p->type);
        return false;
    }
    if (!p->is_pointer && (p->has_address || !value_bytes(p->type))) {
        snprintf(why, WEFT_BUILTIN_REASON,
                 "parameter \"%s %s\" must be a pointer or one of char, uchar, short, ushort, int, "
                 "uint, long, ulong, size_t, float, double",
                 p->type, p->name);
        return false;
    }
    return true;
}

/* Copies a text behind those that are there; its offset, 0: no room. */
static uint32_t keep(weft_signature *s, const char *text, const char *more) {
    size_t bytes = strlen(text) + strlen(more) + 1;
    uint32_t at = s->text_bytes;

    if (bytes > sizeof(s->text) - at)
        return 0;
    snprintf(s->text + at, bytes, "%s%s", text, more);
    s->text_bytes += (uint32_t)bytes;
    return at;
}

static bool add(weft_signature *s, const parameter *p, char *why) {
    static const uint8_t kinds[] = {WEFT_ARG_GLOBAL, WEFT_ARG_LOCAL, WEFT_ARG_CONSTANT};
    uint32_t bytes = p->is_pointer ? sizeof(void *) : value_bytes(p->type);
    weft_arg_info *arg = &s->args[s->count];
    uint32_t offset = (s->block_bytes + bytes - 1) / bytes * bytes;

    *arg = (weft_arg_info){
        .name = keep(s, p->name, ""),
        .type_name = keep(s, p->type, p->is_pointer ? "*" : ""),
        .offset = offset,
        .bytes = bytes,
        .align = bytes,
        .kind = WEFT_ARG_VALUE,
        .address_qualifier = CL_KERNEL_ARG_ADDRESS_PRIVATE,
        .access_qualifier = CL_KERNEL_ARG_ACCESS_NONE,
        .has_info = 1,
    };
    if (p->is_pointer) {
        arg->kind = kinds[p->address - CL_KERNEL_ARG_ADDRESS_GLOBAL];
        arg->address_qualifier = p->address;
        arg->type_qualifiers = p->qualifiers;
        if (p->address == CL_KERNEL_ARG_ADDRESS_CONSTANT)
            arg->type_qualifiers |= CL_KERNEL_ARG_TYPE_CONST;
        if (arg->kind == WEFT_ARG_LOCAL)
            arg->align = WEFT_BLOCK_ALIGN;
    }
    if (!arg->name || !arg->type_name) {
        snprintf(why, WEFT_BUILTIN_REASON, "the names of the parameters are too long");
        return false;
    }
    s->block_bytes = offset + bytes;
    s->count++;
    return true;
}

bool weft_signature_read(const char *text, weft_signature *signature, char *why) {
    /* Not all of its kilobytes: each process reads some signatures when it starts. */
    signature->count = signature->block_bytes = 0;
    signature->text[0] = 0;
    signature->text_bytes = 1; /* offset 0 is "" */
    text = skip_spaces(text);
    if (!*text || strcmp(text, "void") == 0)
        return true;
    for (;;) {
        parameter p = {0};
        if (signature->count == WEFT_BUILTIN_ARGS) {
            snprintf(why, WEFT_BUILTIN_REASON, "there are more than %d parameters",
                     WEFT_BUILTIN_ARGS);
            return false;
        }
        if (!(text = read_words(text, &p, why)) || !check_parameter(&p, why) ||
            !add(signature, &p, why))
            return false;
        if (!*text)
            return true;
        text++; /* the comma */
    }
}
