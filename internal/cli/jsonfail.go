package cli

import (
	"encoding/json"
	"errors"
	"fmt"
)

// toldJSON is an error that the JSON of a command has told already.
type toldJSON struct{ error }

func (e *toldJSON) Unwrap() error { return e.error }

// failJSON prints an error as JSON too, where JSON was asked for and the command's own has not told it: whoever reads it
// finds a document in any case.
func (e *Env) failJSON(asJSON bool, err error) error {
	var told *toldJSON
	if err == nil || !asJSON || errors.As(err, &told) {
		return err
	}
	doc, failed := json.Marshal(failure{err.Error(), codeOf(err)})
	if failed == nil {
		_, failed = fmt.Fprintf(e.Stdout, "%s\n", plainJSON(doc))
	}
	return errors.Join(err, failed)
}

// failure is what every JSON of a command that failed has.
type failure struct {
	Error string `json:"error,omitempty"`
	Code  int    `json:"exit_code,omitempty"`
}

// failed is the failure that an error stands for; nil is none.
func failed(err error) failure {
	if err == nil {
		return failure{}
	}
	return failure{err.Error(), codeOf(err)}
}

// printJSON prints one document and keeps the error that it tells.
func (e *Env) printJSON(doc any, told error) error {
	text, err := json.Marshal(doc)
	if err == nil {
		_, err = fmt.Fprintf(e.Stdout, "%s\n", plainJSON(text))
	}
	if err != nil {
		return errors.Join(fmt.Errorf("print JSON: %w", err), told)
	}
	if told == nil {
		return nil
	}
	return &toldJSON{told}
}
