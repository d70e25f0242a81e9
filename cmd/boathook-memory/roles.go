package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/boathook/boathook/internal/memory/postgres"
)

// roles prints the statements that make the roles of PostgreSQL. What they are made of comes as JSON on stdin; nothing is asked of any
// server.
func roles(e env, args []string) int {
	if len(args) > 0 {
		return e.misused("roles takes no arguments: 'boathook memory roles --sql' starts it")
	}
	if e.typed {
		return e.misused("roles is started by 'boathook memory roles --sql', which says on stdin which logins there are")
	}
	var o struct {
		Schema string `json:"schema"`
		Logins []struct {
			Name   string `json:"name"`
			Role   string `json:"role"`
			Tenant string `json:"tenant"`
		} `json:"logins"`
	}
	if err := json.NewDecoder(io.LimitReader(e.stdin, maxSettings)).Decode(&o); err != nil {
		return e.failed(errors.New("read the logins on stdin: they are no JSON"))
	}
	to := postgres.RolesOptions{Schema: o.Schema}
	for _, l := range o.Logins {
		to.Logins = append(to.Logins, postgres.Login{Name: l.Name, Role: l.Role, Tenant: l.Tenant})
	}
	text, err := postgres.RolesSQL(to)
	if err != nil {
		return e.failed(err)
	}
	if _, err := fmt.Fprint(e.stdout, text); err != nil {
		return e.failed(err)
	}
	return exitOK
}
