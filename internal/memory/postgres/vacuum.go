package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/boathook/boathook/internal/memory"
)

// Vacuum rewrites memory's tables, so that no byte of removed rows is left in their files. It locks each of them meanwhile, and may
// take minutes where there are many vectors. It needs the tables' owner, or from PostgreSQL 17 on ltm_admin. Without the right to a
// checkpoint the last of the old files go with the server's next.
func (s *Store) Vacuum(ctx context.Context) error {
	const doing = "rewrite memory's tables in PostgreSQL"
	f, err := s.ready(ctx)
	if err != nil {
		return failed(doing, err)
	}
	var tables []string
	err = s.ask(ctx, nil, statement{`SELECT c.relname, c.relowner = current_user::regrole OR pg_has_role(c.relowner, 'USAGE')
		OR CASE WHEN $1 >= 17 THEN has_table_privilege(c.oid, 'MAINTAIN') ELSE false END
		FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname LIKE 'ltm\_%' ORDER BY 1`,
		[]any{f.server}, func(r pgx.CollectableRow) error {
			var name string
			var may bool
			err := r.Scan(&name, &may)
			if err == nil && !may { // the server would only warn
				err = fmt.Errorf("%w: only its owner may rewrite %s", memory.ErrDenied, name)
			}
			tables = append(tables, name)
			return err
		}})
	if err != nil {
		return failed(doing, err)
	}
	for _, name := range tables {
		if _, err := s.pool.Exec(ctx, "VACUUM (FULL, ANALYZE) "+quoted(name)); err != nil {
			return failed(doing, err)
		}
	}
	_, _ = s.pool.Exec(ctx, "CHECKPOINT") // not everybody may
	return nil
}
