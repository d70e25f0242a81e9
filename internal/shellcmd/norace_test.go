//go:build !race && unix

package shellcmd

// diffDefault is how many generated texts are run.
const diffDefault = 2000
