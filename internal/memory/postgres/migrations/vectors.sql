-- What pgvector adds, once it is there. One column is for models of 1536 numbers, a table each for those of other widths.

ALTER TABLE ltm_chunks ADD COLUMN embedding {{vector}}.vector(1536);
ALTER TABLE ltm_chunks ALTER embedding SET STATISTICS 0;
CREATE INDEX idx_ltm_chunks_unembedded ON ltm_chunks (tenant_id, chunk_id) WHERE embedding IS NULL AND NOT gone;

-- The table for models of a width, made where it is missing. Writers may have it made.
CREATE FUNCTION ltm_make_width(width integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = {{schema}}, {{vector}}, pg_temp AS $$
DECLARE
    name text := 'ltm_vectors_' || width;
    grantee text;
    may text;
BEGIN
    IF width < 1 OR width > 16000 OR cardinality(ltm_tenants()) = 0 AND NOT ltm_may('') THEN
        RAISE EXCEPTION 'no vectors of % numbers', width USING ERRCODE = '22023';
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('boathook ' || name, 0));
    IF to_regclass(format('{{schema}}.%I', name)) IS NOT NULL THEN
        RETURN;
    END IF;
    EXECUTE format('CREATE TABLE {{schema}}.%I (
        chunk_id        bigint NOT NULL REFERENCES ltm_chunks ON DELETE CASCADE,
        tenant_id       text NOT NULL,
        embedding_model text NOT NULL,
        embedding       vector(%s) NOT NULL,
        PRIMARY KEY (chunk_id, embedding_model))', name, width);
    EXECUTE format('ALTER TABLE {{schema}}.%I ALTER embedding SET STATISTICS 0', name);
    EXECUTE format('CREATE INDEX ON {{schema}}.%I (tenant_id, embedding_model)', name);
    IF {{halfvec}} AND width <= 4000 THEN
        EXECUTE format('CREATE INDEX %I ON {{schema}}.%I USING hnsw ((embedding::halfvec(%s)) halfvec_cosine_ops)', 'idx_' || name, name, width);
    ELSIF width <= 2000 THEN
        EXECUTE format('CREATE INDEX %I ON {{schema}}.%I USING hnsw (embedding vector_cosine_ops)', 'idx_' || name, name);
    END IF;
    EXECUTE format('ALTER TABLE {{schema}}.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE {{schema}}.%I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY ltm_tenant ON {{schema}}.%I USING (tenant_id = ANY ((SELECT {{schema}}.ltm_tenants())::text[]))', name);
    -- Who may do what with chunks may do it here.
    FOR grantee, may IN SELECT CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END, a.privilege_type
        FROM pg_class c, aclexplode(c.relacl) a
        WHERE c.oid = '{{schema}}.ltm_chunks'::regclass AND a.grantee <> c.relowner AND a.privilege_type IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MAINTAIN') LOOP
        EXECUTE format('GRANT %s ON {{schema}}.%I TO %s', may, name, grantee);
    END LOOP;
END $$;
REVOKE ALL ON FUNCTION ltm_make_width(integer) FROM PUBLIC;
