-- The roles of boathook's memory. Three groups, no one of which may log in:
--
--   ltm_reader   searches and reads
--   ltm_writer   besides that stores what agents do; deletes nothing
--   ltm_admin    besides that forgets and retains
--
-- Which tenants' rows a login sees and writes is what {{schema}}.ltm_logins says, and nothing else: the policies ask it for the login,
-- so that neither another role nor hand-written SQL shows more. Only the owner of the tables may change it. A pooler has to log in to the
-- database as each of its clients, not as one for all.

DO $do$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['ltm_reader', 'ltm_writer', 'ltm_admin'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN NOBYPASSRLS', name);
        END IF;
    END LOOP;
END $do$;

REVOKE CREATE ON SCHEMA {{schema}} FROM PUBLIC;
GRANT USAGE ON SCHEMA {{schema}} TO ltm_reader, ltm_writer, ltm_admin;
GRANT SELECT ON {{schema}}.ltm_migrations TO ltm_reader, ltm_writer, ltm_admin;
REVOKE ALL ON {{schema}}.ltm_logins, {{schema}}.ltm_terms FROM PUBLIC, ltm_reader, ltm_writer, ltm_admin;

DO $do$
DECLARE
    name text;
BEGIN
    FOR name IN SELECT c.relname FROM pg_class c WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname ={{schema literal}}) AND c.relkind = 'r'
        AND (c.relname IN ('ltm_projects', 'ltm_sessions', 'ltm_messages', 'ltm_tool_calls', 'ltm_chunks') OR c.relname ~ '^ltm_vectors_[0-9]+$') LOOP
        EXECUTE format('ALTER TABLE {{schema}}.%I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE {{schema}}.%I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('DROP POLICY IF EXISTS ltm_tenant ON {{schema}}.%I', name);
        EXECUTE format('CREATE POLICY ltm_tenant ON {{schema}}.%I USING (tenant_id = ANY ((SELECT {{schema}}.ltm_tenants())::text[]))', name);
        EXECUTE format('REVOKE ALL ON {{schema}}.%I FROM PUBLIC, ltm_reader, ltm_writer, ltm_admin', name);
        EXECUTE format('GRANT SELECT ON {{schema}}.%I TO ltm_reader, ltm_writer, ltm_admin', name);
        EXECUTE format('GRANT INSERT, UPDATE ON {{schema}}.%I TO ltm_writer, ltm_admin', name);
        EXECUTE format('GRANT DELETE ON {{schema}}.%I TO ltm_admin', name);
        IF current_setting('server_version_num')::integer >= 170000 THEN
            EXECUTE format('GRANT MAINTAIN ON {{schema}}.%I TO ltm_admin', name);
        END IF;
    END LOOP;
    IF current_setting('server_version_num')::integer >= 170000 THEN
        GRANT MAINTAIN ON {{schema}}.ltm_terms, {{schema}}.ltm_logins, {{schema}}.ltm_migrations TO ltm_admin;
    END IF;
END $do$;

REVOKE ALL ON FUNCTION {{schema}}.ltm_index(text, json), {{schema}}.ltm_unindex(text, bigint[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION {{schema}}.ltm_index(text, json), {{schema}}.ltm_unindex(text, bigint[]) TO ltm_writer, ltm_admin;
DO $do$ BEGIN
    IF to_regprocedure(quote_ident({{schema literal}}) || '.ltm_make_width(integer)') IS NOT NULL THEN
        REVOKE ALL ON FUNCTION {{schema}}.ltm_make_width(integer) FROM PUBLIC;
        GRANT EXECUTE ON FUNCTION {{schema}}.ltm_make_width(integer) TO ltm_writer, ltm_admin;
    END IF;
END $do$;
