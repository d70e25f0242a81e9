package cli

import (
	"bufio"
	"errors"
	"fmt"
	"strings"
)

// dryRun is how most commands show what they would do.
const dryRun = "look at it with --dry-run"

// confirm asks before something is done, or refuses where nobody can be asked; look is how it can be seen before.
func confirm(env *Env, verb, question, look string, asJSON bool) error {
	if asJSON || !canAsk(env) {
		return exitWith(exitRefused, fmt.Errorf("%s: there is no terminal to ask on; %s, then pass --yes", verb, look))
	}
	fmt.Fprintf(env.Stdout, "\n%s [y/N] ", question)
	answer, _ := bufio.NewReader(env.Stdin).ReadString('\n') // no answer is no
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	return errDeclined()
}

// errDeclined is for somebody who was asked and did not say yes.
func errDeclined() error {
	return exitWith(exitRefused, errors.New("nothing was changed: you did not say yes"))
}
