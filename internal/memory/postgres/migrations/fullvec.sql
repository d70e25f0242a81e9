CREATE INDEX idx_ltm_chunks_embedding ON ltm_chunks USING hnsw (embedding {{vector}}.vector_cosine_ops);
