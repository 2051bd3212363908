#ifndef CSQLITE_H
#define CSQLITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The face of SQLite for Swift. A connection and its statements belong to one thread at a time. Results are SQLite's
 * own codes: 0 is success; extended ones are used. */

typedef struct sqlite3 csqlite_connection;
typedef struct sqlite3_stmt csqlite_statement;

static const int CSQLITE_OK = 0, CSQLITE_ROW = 100, CSQLITE_DONE = 101;

/* A connection is handed out only on success. Without `writes` nothing is made or changed. A lock of another connection
 * is waited for up to `patience` milliseconds. */
int csqlite_open(const char *path, bool writes, int patience, csqlite_connection **out);
/* Opens the database at a URI (sqlite.org/uri.html) to be read and never changed. A statement that goes on for more than about
 * `steps` instructions of SQLite's machine is ended (SQLITE_INTERRUPT), and a value of more than `longest` bytes is an error
 * (SQLITE_TOOBIG): the schema of such a file is anybody's. */
int csqlite_open_untrusted(const char *uri, int steps, int longest, csqlite_connection **out);
/* After all statements. */
void csqlite_close(csqlite_connection *connection);
/* Runs statements that give no rows. */
int csqlite_run(csqlite_connection *connection, const char *text);
/* The first statement of `text`, kept for long use. */
int csqlite_prepare(csqlite_connection *connection, const char *text, size_t count, csqlite_statement **out);
void csqlite_finalize(csqlite_statement *statement);
int csqlite_step(csqlite_statement *statement);
/* Makes it ready to be run again, without its values. */
void csqlite_reset(csqlite_statement *statement);

/* Values are copied; `index` is from 1. Text of no bytes is empty text, also without an address. */
int csqlite_bind_null(csqlite_statement *statement, int index);
int csqlite_bind_integer(csqlite_statement *statement, int index, int64_t value);
int csqlite_bind_real(csqlite_statement *statement, int index, double value);
int csqlite_bind_text(csqlite_statement *statement, int index, const char *text, size_t count);
int csqlite_bind_blob(csqlite_statement *statement, int index, const void *bytes, size_t count);
int csqlite_parameter_count(csqlite_statement *statement);

/* Of the row that the last step gave; `column` is from 0. Bytes are valid until the next step or reset. */
bool csqlite_is_null(csqlite_statement *statement, int column);
int64_t csqlite_integer(csqlite_statement *statement, int column);
double csqlite_real(csqlite_statement *statement, int column);
const void *csqlite_bytes(csqlite_statement *statement, int column, size_t *count);

/* What SQLite says of the last failure; for the log only. */
const char *csqlite_message(csqlite_connection *connection);

#endif
