-- Where each event belongs (internal/correlate). The rows that were there before this step belong to nothing.
ALTER TABLE events ADD COLUMN trace_id  TEXT NOT NULL DEFAULT '';
ALTER TABLE events ADD COLUMN parent_id TEXT NOT NULL DEFAULT '';
ALTER TABLE events ADD COLUMN pairing   TEXT NOT NULL DEFAULT '';
ALTER TABLE events ADD COLUMN before_id TEXT NOT NULL DEFAULT '';

-- 1 when the contents of a row are gone for their age.
ALTER TABLE events ADD COLUMN expired INTEGER NOT NULL DEFAULT 0;
CREATE INDEX events_contents ON events (time_ns) WHERE expired = 0;

-- When something was done last that is done now and then.
CREATE TABLE done (
    name  TEXT PRIMARY KEY,
    at_ns INTEGER NOT NULL
) WITHOUT ROWID;

-- What is remembered of each session, and when its last event was.
CREATE TABLE sessions (
    key     TEXT PRIMARY KEY,
    last_ns INTEGER NOT NULL,
    open    INTEGER NOT NULL, -- 1 while a turn is open
    json    TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX sessions_open ON sessions (last_ns) WHERE open = 1;
CREATE INDEX sessions_last ON sessions (last_ns);

-- Turns that have ended, in the order in which they did.
CREATE TABLE turns (
    seq      INTEGER PRIMARY KEY AUTOINCREMENT,
    id       TEXT NOT NULL UNIQUE,
    end_ns   INTEGER NOT NULL,
    json     TEXT NOT NULL
);

-- How far each sink is.
CREATE TABLE cursors (
    name  TEXT PRIMARY KEY,
    event INTEGER NOT NULL, -- the last of events.seq that its destination took
    turn  INTEGER NOT NULL, -- the last of turns.seq
    state BLOB NOT NULL,    -- the sink's own
    moved_ns INTEGER NOT NULL,
    -- Of the failures since the last success: how many, when the next try is due, and what the last one was.
    tries   INTEGER NOT NULL DEFAULT 0,
    next_ns INTEGER NOT NULL DEFAULT 0,
    error   TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
