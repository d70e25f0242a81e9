//go:build race && unix

package shellcmd

// diffDefault is how many generated texts are run: the race detector makes each slow, and what it looks for is in few of them.
const diffDefault = 300
