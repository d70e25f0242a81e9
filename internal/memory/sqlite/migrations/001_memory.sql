-- Times are nanoseconds since 1970, 0 where they are not known. The names of the ltm_ tables and of their columns are those of the
-- PostgreSQL store; numbers stand for projects and sessions in the others' rows.

CREATE TABLE ltm_projects (
    project      INTEGER PRIMARY KEY,
    project_hash TEXT NOT NULL UNIQUE,
    chunks       INTEGER NOT NULL DEFAULT 0 -- how many it has
);

CREATE TABLE ltm_sessions (
    session        INTEGER PRIMARY KEY,
    session_id     TEXT NOT NULL UNIQUE,
    project        INTEGER NOT NULL REFERENCES ltm_projects,
    workspace_root TEXT NOT NULL DEFAULT '',
    source         TEXT NOT NULL,
    started_at     INTEGER NOT NULL DEFAULT 0,
    ended_at       INTEGER NOT NULL DEFAULT 0,
    active_at      INTEGER NOT NULL DEFAULT 0,
    summary        TEXT NOT NULL DEFAULT '',
    outcome        TEXT NOT NULL DEFAULT '',
    summary_at     INTEGER NOT NULL DEFAULT 0, -- when what summary says was so
    outcome_at     INTEGER NOT NULL DEFAULT 0,
    covered_until  INTEGER NOT NULL DEFAULT 0,
    anonymous      INTEGER NOT NULL DEFAULT 0,
    sort_at        INTEGER AS (CASE started_at WHEN 0 THEN active_at ELSE started_at END) STORED
);
CREATE INDEX ltm_sessions_project ON ltm_sessions (project, sort_at, session_id);
CREATE INDEX ltm_sessions_number ON ltm_sessions (project);
CREATE INDEX ltm_sessions_active ON ltm_sessions (active_at);

-- hook and told are what each class of sources said, as far as it is not what the row says (package merge). A hidden row is what
-- a transcript that covers its time does not have; it has no text.
CREATE TABLE ltm_messages (
    id           INTEGER PRIMARY KEY,
    message_id   TEXT NOT NULL UNIQUE,
    session      INTEGER NOT NULL REFERENCES ltm_sessions,
    role         TEXT NOT NULL,
    ts           INTEGER NOT NULL,
    token_input  INTEGER NOT NULL DEFAULT 0,
    token_output INTEGER NOT NULL DEFAULT 0,
    token_total  INTEGER NOT NULL DEFAULT 0,
    model        TEXT NOT NULL DEFAULT '',
    source       TEXT NOT NULL,
    origin       TEXT NOT NULL,
    hidden       INTEGER NOT NULL DEFAULT 0,
    anonymous    INTEGER NOT NULL DEFAULT 0,
    hook         TEXT,
    told         TEXT,
    content_text TEXT NOT NULL,
    content_json TEXT
);
CREATE INDEX ltm_messages_session ON ltm_messages (session, ts, message_id);
CREATE INDEX ltm_messages_ts ON ltm_messages (ts);

CREATE TABLE ltm_tool_calls (
    id           INTEGER PRIMARY KEY,
    tool_call_id TEXT NOT NULL UNIQUE,
    session      INTEGER NOT NULL REFERENCES ltm_sessions,
    message_id   TEXT,
    call_id      TEXT NOT NULL DEFAULT '',
    tool_name    TEXT NOT NULL,
    host_tool    TEXT NOT NULL DEFAULT '',
    kind         TEXT NOT NULL DEFAULT '',
    status       TEXT NOT NULL DEFAULT '',
    ts           INTEGER NOT NULL,
    duration_ns  INTEGER NOT NULL DEFAULT 0,
    source       TEXT NOT NULL,
    origin       TEXT NOT NULL,
    hidden       INTEGER NOT NULL DEFAULT 0,
    anonymous    INTEGER NOT NULL DEFAULT 0,
    hook         TEXT,
    told         TEXT,
    command      TEXT NOT NULL DEFAULT '',
    paths        TEXT,
    args_json    TEXT,
    error        TEXT NOT NULL DEFAULT '',
    output       TEXT NOT NULL DEFAULT '',
    result_json  TEXT
);
CREATE INDEX ltm_tool_calls_session ON ltm_tool_calls (session, ts, tool_call_id);
CREATE INDEX ltm_tool_calls_ts ON ltm_tool_calls (ts);

-- A chunk outlives the row that it is of. Its number is never given again.
CREATE TABLE ltm_chunks (
    chunk_id   INTEGER PRIMARY KEY AUTOINCREMENT,
    session    INTEGER NOT NULL REFERENCES ltm_sessions,
    project    INTEGER NOT NULL REFERENCES ltm_projects,
    row_id     TEXT NOT NULL, -- message_id or tool_call_id
    piece      INTEGER NOT NULL,
    role       TEXT NOT NULL,
    ts         INTEGER NOT NULL,
    tool       TEXT NOT NULL DEFAULT '',
    status     TEXT NOT NULL DEFAULT '',
    tags       TEXT NOT NULL DEFAULT '', -- each between spaces
    command    TEXT NOT NULL DEFAULT '',
    chunk_text TEXT NOT NULL
);
CREATE UNIQUE INDEX ltm_chunks_row ON ltm_chunks (row_id, piece);
CREATE INDEX ltm_chunks_session ON ltm_chunks (session, ts, row_id, piece);
CREATE INDEX ltm_chunks_ts ON ltm_chunks (ts);

-- What chunks are found by, in its order, between unit separators.
CREATE TABLE ltm_terms (
    chunk_id INTEGER PRIMARY KEY,
    terms    TEXT NOT NULL
);

-- A token is the number of the project and a hash of the term. Nothing else is stored of it: no positions, no sizes, no text.
CREATE VIRTUAL TABLE ltm_index USING fts5(tokens, content='', columnsize=0, detail=none, tokenize='ascii');
INSERT INTO ltm_index(ltm_index, rank) VALUES ('secure-delete', 1);

-- Who makes vectors. Those of a model are in tables of its number: ltm_bits_N, ltm_vectors_N.
CREATE TABLE ltm_models (
    number INTEGER PRIMARY KEY,
    model  TEXT NOT NULL,
    width  INTEGER NOT NULL,
    done   INTEGER NOT NULL DEFAULT 0, -- all chunks up to this one have theirs
    UNIQUE (model, width)
);
