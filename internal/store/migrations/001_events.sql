CREATE TABLE events (
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    id         TEXT NOT NULL UNIQUE,
    time_ns    INTEGER NOT NULL,
    agent      TEXT NOT NULL,
    event      TEXT NOT NULL,
    host_event TEXT NOT NULL,
    session_id TEXT NOT NULL,
    turn_id    TEXT NOT NULL,
    call_id    TEXT NOT NULL,
    tool       TEXT NOT NULL,
    rule       TEXT NOT NULL,
    action     TEXT NOT NULL,
    expressed  TEXT NOT NULL,
    source     TEXT NOT NULL,
    latency_ms REAL NOT NULL,
    json       TEXT NOT NULL
);
CREATE INDEX events_time ON events (time_ns);
CREATE INDEX events_session ON events (session_id, seq);

CREATE TABLE counters (
    name TEXT PRIMARY KEY,
    n    INTEGER NOT NULL
) WITHOUT ROWID;

-- The batch of counts that was added last, so that it isn't added again after a crash.
CREATE TABLE counted (
    token TEXT PRIMARY KEY
) WITHOUT ROWID;
