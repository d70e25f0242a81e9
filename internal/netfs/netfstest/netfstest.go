// Package netfstest mounts filesystems whose servers do not answer. Only tests import it.
package netfstest
