package postgres

import (
	_ "embed"
	"fmt"
	"strings"
)

// RolesOptions are what the statements of RolesSQL are made of.
type RolesOptions struct {
	// Schema has the tables; empty is public.
	Schema string
	// Logins are logins of the database that get a role and a tenant. They are made where they are missing, without a password.
	Logins []Login
}

// Login is a login of the database.
type Login struct {
	Name string
	// Role is reader, writer or admin.
	Role string
	// Tenant is whose rows it sees; empty is "default".
	Tenant string
}

//go:embed roles.sql
var rolesSQL string

// RolesSQL are the statements, for psql, that make the groups ltm_reader, ltm_writer and ltm_admin, and give them what they may do.
// They may be run again, and have to be after a migration. They need the tables' owner with CREATEROLE, or a superuser. An error is
// that of a role that there isn't.
func RolesSQL(o RolesOptions) (string, error) {
	schema := o.Schema
	if schema == "" {
		schema = "public"
	}
	out := strings.ReplaceAll(rolesSQL, "{{schema}}", quoted(schema))
	out = strings.ReplaceAll(out, "{{schema literal}}", literalOf(schema))
	for _, l := range o.Logins {
		switch l.Role {
		case "reader", "writer", "admin":
		default:
			return "", fmt.Errorf("make the roles: %q is not reader, writer or admin", l.Role)
		}
		tenant := l.Tenant
		if tenant == "" {
			tenant = firstTenant
		}
		name := literalOf(l.Name)
		out += fmt.Sprintf(`
-- %s; give it a password with \password %s
DO $do$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = %s) THEN
        EXECUTE format('CREATE ROLE %%I LOGIN', %s);
    END IF;
END $do$;
GRANT ltm_%s TO %s;
INSERT INTO %s.ltm_logins (login, tenant_id) VALUES (%s, %s) ON CONFLICT DO NOTHING;
`, strings.ReplaceAll(l.Role, "\n", " "), strings.ReplaceAll(quoted(l.Name), "\n", " "), name, name, l.Role, quoted(l.Name), quoted(schema), name,
			literalOf(tenant))
	}
	return out, nil
}

// literalOf is a string in SQL, whatever is in it.
func literalOf(s string) string {
	s = storable(s)
	return " E'" + strings.NewReplacer("'", "''", `\`, `\\`).Replace(s) + "'"
}
