#include "CSQLite.h"

#include <limits.h>
#include <sqlite3.h>

int csqlite_open(const char *path, bool writes, int patience, csqlite_connection **out) {
    int flags = (writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY) | SQLITE_OPEN_NOMUTEX |
                SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW;
    csqlite_connection *connection = NULL;
    int code = sqlite3_open_v2(path, &connection, flags, NULL);
    if (code != SQLITE_OK) {
        sqlite3_close(connection);
        return code;
    }
    sqlite3_busy_timeout(connection, patience);
    /* What is in a file is data: no statement of ours needs extensions, or trusts its schema. */
    sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    *out = connection;
    return SQLITE_OK;
}

static int csqlite_give_up(void *context) {
    (void)context;
    return 1;
}

int csqlite_open_untrusted(const char *uri, int steps, int longest, csqlite_connection **out) {
    csqlite_connection *connection = NULL;
    int code = sqlite3_open_v2(
        uri, &connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
    if (code != SQLITE_OK) {
        sqlite3_close(connection);
        return code;
    }
    sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, longest);
    sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0);
    /* Counted for each statement from when it was last reset (csqlite_reset). */
    sqlite3_progress_handler(connection, steps, csqlite_give_up, NULL);
    *out = connection;
    return SQLITE_OK;
}

void csqlite_close(csqlite_connection *connection) { sqlite3_close_v2(connection); }

int csqlite_run(csqlite_connection *connection, const char *text) {
    return sqlite3_exec(connection, text, NULL, NULL, NULL);
}

int csqlite_prepare(csqlite_connection *connection, const char *text, size_t count, csqlite_statement **out) {
    if (count > INT_MAX) return SQLITE_TOOBIG;
    return sqlite3_prepare_v3(connection, text, (int)count, SQLITE_PREPARE_PERSISTENT, out, NULL);
}

void csqlite_finalize(csqlite_statement *statement) { sqlite3_finalize(statement); }

int csqlite_step(csqlite_statement *statement) { return sqlite3_step(statement); }

void csqlite_reset(csqlite_statement *statement) {
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    /* The count of its instructions begins anew, for connections that bound it. */
    sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 1);
}

int csqlite_bind_null(csqlite_statement *statement, int index) { return sqlite3_bind_null(statement, index); }

int csqlite_bind_integer(csqlite_statement *statement, int index, int64_t value) {
    return sqlite3_bind_int64(statement, index, value);
}

int csqlite_bind_real(csqlite_statement *statement, int index, double value) {
    return sqlite3_bind_double(statement, index, value);
}

int csqlite_bind_text(csqlite_statement *statement, int index, const char *text, size_t count) {
    return sqlite3_bind_text64(statement, index, text ? text : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

int csqlite_bind_blob(csqlite_statement *statement, int index, const void *bytes, size_t count) {
    if (count == 0) return sqlite3_bind_zeroblob(statement, index, 0);
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

int csqlite_parameter_count(csqlite_statement *statement) { return sqlite3_bind_parameter_count(statement); }

bool csqlite_is_null(csqlite_statement *statement, int column) {
    return sqlite3_column_type(statement, column) == SQLITE_NULL;
}

int64_t csqlite_integer(csqlite_statement *statement, int column) { return sqlite3_column_int64(statement, column); }

double csqlite_real(csqlite_statement *statement, int column) { return sqlite3_column_double(statement, column); }

const void *csqlite_bytes(csqlite_statement *statement, int column, size_t *count) {
    const void *bytes = sqlite3_column_blob(statement, column);
    *count = (size_t)sqlite3_column_bytes(statement, column);
    return bytes;
}

const char *csqlite_message(csqlite_connection *connection) { return sqlite3_errmsg(connection); }
