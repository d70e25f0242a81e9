package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/boathook/boathook/internal/memory"
)

// failed gives an error of the database its class. What ends with the caller's context stays that.
func failed(doing string, err error) error {
	if err == nil {
		return nil
	}
	if class := classOf(err); class != nil {
		return fmt.Errorf("%s: %w: %w", doing, class, withoutDSN(err))
	}
	return fmt.Errorf("%s: %w", doing, withoutDSN(err))
}

func classOf(err error) error {
	var told *pgconn.PgError
	if errors.As(err, &told) {
		return classOfState(told.Code)
	}
	for _, known := range []error{memory.ErrUnavailable, memory.ErrPoison, memory.ErrNewer, memory.ErrOlder, memory.ErrNoVectors, memory.ErrDenied, memory.ErrConnectionString,
		context.Canceled, pgx.ErrNoRows} {
		if errors.Is(err, known) {
			return nil // it says so itself
		}
	}
	var connect *pgconn.ConnectError
	var network net.Error
	if errors.As(err, &connect) || errors.As(err, &network) || errors.Is(err, context.DeadlineExceeded) || pgconn.SafeToRetry(err) ||
		pgconn.Timeout(err) || isCut(err) {
		return memory.ErrUnavailable
	}
	return nil
}

// classOfState is the class of an SQLSTATE.
func classOfState(code string) error {
	switch code {
	case "42501": // insufficient_privilege
		return memory.ErrDenied
	case "28000", "28P01":
		return memory.ErrLogin
	case "42P01", "42703", "42883", "3F000": // no such table, column, function, schema
		return memory.ErrOlder
	case "25006": // read_only_sql_transaction: a standby, or a database that is being moved
		return memory.ErrUnavailable
	}
	if len(code) < 2 {
		return nil
	}
	switch code[:2] {
	// connection, rolled back by the server, out of resources, not in the state for it, an operator's doing, the system below it
	case "08", "40", "53", "55", "57", "58", "3D", "F0", "XX":
		return memory.ErrUnavailable
	case "22", "23", "54": // data that the columns don't take, constraints, limits of size
		return memory.ErrPoison
	}
	return nil
}

// isCut says whether a connection ended amid an answer.
func isCut(err error) bool {
	for _, s := range []string{"unexpected EOF", "conn closed", "closed pool", "broken pipe", "connection reset"} {
		if strings.Contains(err.Error(), s) {
			return true
		}
	}
	return false
}

// lost says whether an error is that of a connection that was there before and is no more.
func lost(err error) bool {
	var told *pgconn.PgError
	if errors.As(err, &told) {
		return told.Code == "57P01" || told.Code == "57P02" // the server was stopped
	}
	var connect *pgconn.ConnectError
	return !errors.As(err, &connect) && !errors.Is(err, context.DeadlineExceeded) && (pgconn.SafeToRetry(err) || isCut(err))
}

// withoutDSN is an error's text without what pgx may quote of a connection string, for it may hold a password.
func withoutDSN(err error) error {
	var parse *pgconn.ParseConfigError
	if errors.As(err, &parse) {
		return fmt.Errorf("%w: it is no URL and no list of key=value that PostgreSQL knows", memory.ErrConnectionString)
	}
	return err
}
