package memory

import (
	"errors"
	"fmt"
)

// What of a connection a person has to mend, beside the rights that a login has.
var (
	// ErrLogin says that the login, or its password, is refused. It is ErrDenied, too.
	ErrLogin = fmt.Errorf("%w: its login or password is refused", ErrDenied)
	// ErrConnectionString says that a connection string is none.
	ErrConnectionString = errors.New("the connection string can't be read")
)
