package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// setting is one of the database's, for one transaction: SET LOCAL.
type setting struct{ name, value string }

// statement is a query and what is done with each of its rows.
type statement struct {
	sql  string
	args []any
	row  func(pgx.CollectableRow) error
}

// ask sends statements at once, in one transaction of their own, and reads the answers: one round trip. A connection that had died
// unnoticed is replaced once.
func (s *Store) ask(ctx context.Context, settings []setting, statements ...statement) error {
	return s.again(ctx, func() error {
		return answers(s.pool.SendBatch(ctx, batchOf(settings, statements)), len(settings), statements)
	})
}

// again tries once more what failed since the connection was not there any more.
func (s *Store) again(ctx context.Context, do func() error) error {
	err := do()
	if err != nil && ctx.Err() == nil && lost(err) {
		s.pool.Reset()
		err = do()
	}
	return err
}

func batchOf(settings []setting, statements []statement) *pgx.Batch {
	b := &pgx.Batch{}
	for _, set := range settings {
		b.Queue("SELECT set_config($1, $2, true)", set.name, set.value)
	}
	for _, st := range statements {
		b.Queue(st.sql, st.args...)
	}
	return b
}

func answers(r pgx.BatchResults, before int, statements []statement) (err error) {
	defer func() {
		if cerr := r.Close(); err == nil { // else it is the same again
			err = cerr
		}
	}()
	for range before {
		if _, err := r.Exec(); err != nil {
			return err
		}
	}
	for _, st := range statements {
		if st.row == nil {
			if _, err := r.Exec(); err != nil {
				return err
			}
			continue
		}
		rows, err := r.Query()
		if err != nil {
			return err
		}
		for rows.Next() {
			if err := st.row(rows); err != nil {
				rows.Close()
				return err
			}
		}
		if err := rows.Err(); err != nil {
			return err
		}
	}
	return nil
}

// transaction is one whose end goes with its last statements, so that it costs no round trip.
type transaction struct {
	conn *pgx.Conn
	done bool
}

// writing runs f in a transaction. It is f that commits, with its last statements; what it left open is rolled back.
func (s *Store) writing(ctx context.Context, f func(*transaction) error) error {
	return s.again(ctx, func() error {
		return s.pool.AcquireFunc(ctx, func(c poolConn) error {
			tx := &transaction{conn: c.Conn()}
			err := f(tx)
			if !tx.done {
				// Whatever the caller's time is, the connection must not keep its locks.
				end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
				defer cancel()
				if _, rerr := tx.conn.Exec(end, "ROLLBACK"); rerr != nil {
					_ = tx.conn.Close(end) // it ends the transaction as well
				}
			}
			return err
		})
	})
}

// send sends statements at once.
func (tx *transaction) send(ctx context.Context, statements ...statement) error {
	return answers(tx.conn.SendBatch(ctx, batchOf(nil, statements)), 0, statements)
}

// commit sends the last statements, and the end of the transaction with them.
func (tx *transaction) commit(ctx context.Context, statements ...statement) error {
	err := tx.send(ctx, append(statements, statement{sql: "COMMIT"})...)
	tx.done = err == nil
	return err
}
