// Command fetch builds the collector of the integration tests, unless it is built already, so that they need not be waited
// for without a word.
package main

import (
	"fmt"
	"log"

	"github.com/boathook/boathook/itest/otelcol"
)

func main() {
	log.SetFlags(0)
	if otelcol.Built() {
		return
	}
	fmt.Println("building the OpenTelemetry Collector that the tests send to, once on this machine: this takes some minutes")
	if _, err := otelcol.Program(); err != nil {
		log.Fatal("fetch: ", err)
	}
}
