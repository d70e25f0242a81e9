-- Whoever asks, and with whatever SQL, gets the rows of the login's tenants alone. The owner is no exception.

REVOKE ALL ON ltm_logins, ltm_migrations FROM PUBLIC;
GRANT SELECT ON ltm_migrations TO PUBLIC;
REVOKE ALL ON FUNCTION ltm_index(text, json), ltm_unindex(text, bigint[]) FROM PUBLIC;

DO $$
DECLARE t text;
BEGIN
    FOREACH t IN ARRAY ARRAY['ltm_projects', 'ltm_sessions', 'ltm_messages', 'ltm_tool_calls', 'ltm_chunks'] LOOP
        EXECUTE format('ALTER TABLE {{schema}}.%I ENABLE ROW LEVEL SECURITY', t);
        EXECUTE format('ALTER TABLE {{schema}}.%I FORCE ROW LEVEL SECURITY', t);
        EXECUTE format('CREATE POLICY ltm_tenant ON {{schema}}.%I USING (tenant_id = ANY ((SELECT {{schema}}.ltm_tenants())::text[]))', t);
    END LOOP;
END $$;
