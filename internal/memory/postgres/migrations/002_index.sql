-- What chunks are found by: hashes of a project and a term, so that a search costs what its project has, and no word stays
-- in the index after its rows are gone (GIN keeps keys for good). Row security would keep the index from being used, as the
-- operators of arrays are not leakproof: so nobody but the owner may touch this table, and others ask the functions below, which
-- answer for the tenants of the login.

CREATE TABLE ltm_terms (
    chunk_id  bigint PRIMARY KEY REFERENCES ltm_chunks ON DELETE CASCADE,
    tenant_id text NOT NULL,
    tokens    bigint[] NOT NULL
);
ALTER TABLE ltm_terms ALTER tokens SET STATISTICS 0;
CREATE INDEX idx_ltm_terms_tokens ON ltm_terms USING gin (tokens) WITH (fastupdate = off);
REVOKE ALL ON ltm_terms FROM PUBLIC;

CREATE FUNCTION ltm_may(tenant text) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = {{schema}}, pg_temp AS
$$ SELECT tenant = ANY ({{schema}}.ltm_tenants()) OR
    (SELECT rolsuper OR rolbypassrls FROM pg_catalog.pg_roles WHERE rolname = session_user) $$;

-- In how many chunks each of some tokens stands, counted up to a limit.
CREATE FUNCTION ltm_frequency(tenant text, asked bigint[], most integer) RETURNS TABLE (token bigint, chunks bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = {{schema}}, pg_temp SET plan_cache_mode = force_custom_plan
SET enable_seqscan = off SET random_page_cost = 1.1 AS $$
BEGIN
    IF ltm_may(tenant) THEN
        FOREACH token IN ARRAY asked LOOP
            SELECT count(*) INTO chunks FROM (
                SELECT 1 FROM ltm_terms t WHERE t.tokens @> ARRAY[token] AND t.tenant_id = tenant LIMIT most) AS found;
            RETURN NEXT;
        END LOOP;
    END IF;
END $$;

-- The chunks that have any of some tokens, those with the highest sum of their weights first.
CREATE FUNCTION ltm_candidates(tenant text, asked bigint[], weights float8[]) RETURNS TABLE (chunk_id bigint, score float8)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1000 SET search_path = {{schema}}, pg_temp SET plan_cache_mode = force_custom_plan
SET enable_seqscan = off SET random_page_cost = 1.1 AS $$
BEGIN
    IF ltm_may(tenant) THEN
        RETURN QUERY SELECT t.chunk_id, sum(q.weight) FROM unnest(asked, weights) AS q(token, weight)
            CROSS JOIN LATERAL (SELECT i.chunk_id FROM ltm_terms i WHERE i.tokens @> ARRAY[q.token] AND i.tenant_id = tenant) AS t
            GROUP BY t.chunk_id ORDER BY 2 DESC, 1 DESC;
    END IF;
END $$;

-- Writes the tokens of chunks: given is [{"r": row_id, "p": piece, "t": [token, …]}, …]. Those of other tenants are passed over.
CREATE FUNCTION ltm_index(tenant text, given json) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = {{schema}}, pg_temp AS $$
BEGIN
    IF ltm_may(tenant) THEN
        INSERT INTO ltm_terms AS old (chunk_id, tenant_id, tokens)
            SELECT c.chunk_id, tenant, x.t FROM json_to_recordset(given) AS x(r text, p integer, t bigint[])
            JOIN ltm_chunks c ON c.tenant_id = tenant AND c.row_id = x.r AND c.piece = x.p AND NOT c.gone
            ON CONFLICT ON CONSTRAINT ltm_terms_pkey DO UPDATE SET tokens = excluded.tokens;
    END IF;
END $$;

-- Takes chunks that are gone out of the index.
CREATE FUNCTION ltm_unindex(tenant text, chunks bigint[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = {{schema}}, pg_temp AS $$
BEGIN
    IF ltm_may(tenant) THEN
        DELETE FROM ltm_terms t USING ltm_chunks c
            WHERE t.chunk_id = ANY (chunks) AND t.tenant_id = tenant AND c.chunk_id = t.chunk_id AND c.tenant_id = tenant AND c.gone;
    END IF;
END $$;
