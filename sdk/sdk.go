// Package sdk holds the helpers for hooks in other languages than Go, one file each that needs nothing but the language
// itself. `boathook hooks new` writes them beside a new hook. Their types are made from the JSON Schemas; after a change of
// those, go test ./sdk -update.
package sdk

import _ "embed" // the files are whole, so that they can be copied and tested as they are

// Python is boathook.py.
//
//go:embed python/boathook.py
var Python string

// JavaScript is boathook.mjs, and Types boathook.d.mts, its types for TypeScript.
//
//go:embed typescript/boathook.mjs
var JavaScript string

// Types has the types of JavaScript.
//
//go:embed typescript/boathook.d.mts
var Types string
