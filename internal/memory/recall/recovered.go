package recall

import "fmt"

// recovered makes an error of a panic: no fault of a store or an embedder may be felt by an agent.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("recall: panic: %v", p)
	}
}
