CREATE INDEX idx_ltm_chunks_embedding ON ltm_chunks USING hnsw ((embedding::{{vector}}.halfvec(1536)) {{vector}}.halfvec_cosine_ops);
