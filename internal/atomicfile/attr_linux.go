package atomicfile

import (
	"strings"
	"syscall"
)

// acl is the attribute with the access list of a file. Where there is one, the mode's bits for the group are its mask.
const acl = "system.posix_acl_access"

// keepAttributes gives to the access list and the user's attributes of from, as far as the file system has them. It is false
// where an access list could not be given: without it the mode says something else.
func keepAttributes(from, to string) bool {
	const most = 64 << 10 // the kernel's own limit
	names := make([]byte, most)
	n, err := syscall.Listxattr(from, names)
	if err != nil {
		return true // there are none
	}
	kept, value := true, make([]byte, most)
	for name := range strings.SplitSeq(string(names[:n]), "\x00") {
		if name != acl && !strings.HasPrefix(name, "user.") {
			continue
		}
		n, err := syscall.Getxattr(from, name, value)
		if err == nil {
			err = syscall.Setxattr(to, name, value[:n], 0)
		}
		kept = kept && (err == nil || name != acl)
	}
	return kept
}
