-- The tables of the long-term memory. Every row belongs to a tenant, which is a part of its key: two tenants may have agents that
-- choose the same ids. Columns with texts keep no statistics, for those would hold samples of them after the rows are gone.

CREATE TABLE ltm_migrations (
    version    integer PRIMARY KEY,
    applied_at timestamptz NOT NULL DEFAULT now()
);

-- Which logins see and write which tenants' rows.
CREATE TABLE ltm_logins (
    login     text NOT NULL,
    tenant_id text NOT NULL CHECK (tenant_id <> ''),
    PRIMARY KEY (login, tenant_id)
);

-- Who asks is the login, not the role that it has taken, nor the owner of a function that it calls.
CREATE FUNCTION ltm_tenants() RETURNS text[] LANGUAGE sql STABLE SECURITY DEFINER SET search_path = {{schema}}, pg_temp AS
$$ SELECT coalesce(array_agg(tenant_id), '{}') FROM {{schema}}.ltm_logins WHERE login = session_user $$;

-- Small numbers stand for projects in what is indexed; chunks is how many a project has.
CREATE TABLE ltm_projects (
    project_no   integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id    text NOT NULL,
    project_hash text NOT NULL COLLATE "C",
    chunks       bigint NOT NULL DEFAULT 0,
    UNIQUE (tenant_id, project_hash)
);

CREATE TABLE ltm_sessions (
    tenant_id      text NOT NULL,
    session_id     text NOT NULL COLLATE "C",
    project_hash   text NOT NULL COLLATE "C",
    project_no     integer NOT NULL REFERENCES ltm_projects,
    workspace_root text,
    started_at     timestamptz, -- empty where nobody told
    ended_at       timestamptz,
    active_at      timestamptz,
    summary        text,
    outcome        text,
    summary_at     timestamptz, -- when what it says was so
    outcome_at     timestamptz,
    covered_until  timestamptz, -- up to when a transcript has told all
    anonymous      boolean NOT NULL DEFAULT false,
    source         text NOT NULL DEFAULT 'gemini-cli',
    created_at     timestamptz NOT NULL DEFAULT now(),
    updated_at     timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, session_id)
);
ALTER TABLE ltm_sessions ALTER workspace_root SET STATISTICS 0, ALTER summary SET STATISTICS 0;

-- hook and told are what each class of sources said, as far as it is not what the row says. A hidden row is what a transcript that
-- covers its time does not have; one that is gone has become another, and is removed by retention: writers delete nothing.
CREATE TABLE ltm_messages (
    tenant_id     text NOT NULL,
    message_id    text NOT NULL COLLATE "C",
    message_group text NOT NULL COLLATE "C",
    session_id    text NOT NULL COLLATE "C",
    role          text NOT NULL, -- user|assistant|tool|system, and gemini|info|error|warning
    ts            timestamptz NOT NULL, -- 1970 where nobody told
    content_text  text,
    content_json  jsonb,
    model         text,
    token_input   bigint NOT NULL DEFAULT 0,
    token_output  bigint NOT NULL DEFAULT 0,
    token_total   bigint NOT NULL DEFAULT 0,
    source        text NOT NULL,
    origin        text NOT NULL,
    hook          text,
    told          text,
    hidden        boolean NOT NULL DEFAULT false,
    gone          boolean NOT NULL DEFAULT false,
    anonymous     boolean NOT NULL DEFAULT false,
    created_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, message_id),
    FOREIGN KEY (tenant_id, session_id) REFERENCES ltm_sessions ON DELETE CASCADE
);
ALTER TABLE ltm_messages ALTER content_text SET STATISTICS 0, ALTER content_json SET STATISTICS 0, ALTER hook SET STATISTICS 0,
    ALTER told SET STATISTICS 0, ALTER origin SET STATISTICS 0;

CREATE TABLE ltm_tool_calls (
    tenant_id    text NOT NULL,
    tool_call_id text NOT NULL COLLATE "C",
    call_group   text NOT NULL COLLATE "C",
    session_id   text NOT NULL COLLATE "C",
    message_id   text COLLATE "C",
    call_id      text,
    tool_name    text NOT NULL,
    host_tool    text,
    kind         text,
    status       text NOT NULL, -- success|error|blocked; empty where nobody told the end
    command      text,
    paths        jsonb,
    args_json    jsonb,
    result_json  jsonb,
    output_text  text,
    error_text   text,
    duration_ns  bigint NOT NULL DEFAULT 0,
    ts           timestamptz NOT NULL,
    source       text NOT NULL,
    origin       text NOT NULL,
    hook         text,
    told         text,
    hidden       boolean NOT NULL DEFAULT false,
    gone         boolean NOT NULL DEFAULT false,
    anonymous    boolean NOT NULL DEFAULT false,
    created_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, tool_call_id),
    FOREIGN KEY (tenant_id, session_id) REFERENCES ltm_sessions ON DELETE CASCADE
);
ALTER TABLE ltm_tool_calls ALTER command SET STATISTICS 0, ALTER paths SET STATISTICS 0, ALTER args_json SET STATISTICS 0,
    ALTER result_json SET STATISTICS 0, ALTER output_text SET STATISTICS 0, ALTER error_text SET STATISTICS 0, ALTER hook SET STATISTICS 0,
    ALTER told SET STATISTICS 0, ALTER origin SET STATISTICS 0;

-- A chunk outlives the row that it is of (row_id). embedding is added where there is pgvector.
CREATE TABLE ltm_chunks (
    chunk_id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id       text NOT NULL,
    project_no      integer NOT NULL REFERENCES ltm_projects,
    session_id      text NOT NULL COLLATE "C",
    row_id          text NOT NULL COLLATE "C",
    row_group       text NOT NULL COLLATE "C",
    message_id      text COLLATE "C", -- row_id where that is a message
    piece           integer NOT NULL,
    role            text NOT NULL,
    tool_name       text,
    status          text,
    command         text,
    chunk_text      text NOT NULL,
    terms           text NOT NULL, -- in their order, a unit separator between two
    embedding_model text,
    metadata        jsonb NOT NULL DEFAULT '{}'::jsonb,
    ts              timestamptz NOT NULL,
    gone            boolean NOT NULL DEFAULT false,
    created_at      timestamptz NOT NULL DEFAULT now(),
    FOREIGN KEY (tenant_id, session_id) REFERENCES ltm_sessions ON DELETE CASCADE
);
ALTER TABLE ltm_chunks ALTER command SET STATISTICS 0, ALTER chunk_text SET STATISTICS 0, ALTER terms SET STATISTICS 0,
    ALTER metadata SET STATISTICS 0;

CREATE INDEX idx_ltm_sessions_project_started ON ltm_sessions (tenant_id, project_no, started_at DESC);
CREATE INDEX idx_ltm_sessions_active ON ltm_sessions (tenant_id, active_at);
CREATE INDEX idx_ltm_messages_session_ts ON ltm_messages (tenant_id, session_id, ts);
CREATE INDEX idx_ltm_messages_group ON ltm_messages (tenant_id, message_group);
CREATE INDEX idx_ltm_messages_ts ON ltm_messages (tenant_id, ts);
CREATE INDEX idx_ltm_tool_calls_session_ts ON ltm_tool_calls (tenant_id, session_id, ts);
CREATE INDEX idx_ltm_tool_calls_group ON ltm_tool_calls (tenant_id, call_group);
CREATE INDEX idx_ltm_tool_calls_ts ON ltm_tool_calls (tenant_id, ts);
CREATE INDEX idx_ltm_chunks_session_ts ON ltm_chunks (tenant_id, session_id, ts, row_id, piece);
CREATE UNIQUE INDEX idx_ltm_chunks_row ON ltm_chunks (tenant_id, row_id, piece) WHERE NOT gone;
CREATE INDEX idx_ltm_chunks_group ON ltm_chunks (tenant_id, row_group);
CREATE INDEX idx_ltm_chunks_project_ts ON ltm_chunks (tenant_id, project_no, ts DESC);
CREATE INDEX idx_ltm_chunks_project_tool ON ltm_chunks (tenant_id, project_no, tool_name, status) WHERE tool_name IS NOT NULL AND NOT gone;
CREATE INDEX idx_ltm_chunks_metadata_gin ON ltm_chunks USING gin (metadata jsonb_path_ops);
