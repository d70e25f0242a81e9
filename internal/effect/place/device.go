package place

import "strings"

// streams tells whether a path is an open stream, or a device that keeps nothing.
func streams(path string) bool {
	name, ok := strings.CutPrefix(path, "/dev/")
	if !ok {
		return strings.HasPrefix(path, "/proc/self/fd/")
	}
	switch name {
	case "null", "stdout", "stderr", "stdin", "tty", "zero", "full", "random", "urandom", "console", "ptmx":
		return true
	}
	return strings.HasPrefix(name, "fd/") || strings.HasPrefix(name, "pts/") || strings.HasPrefix(name, "tcp/") || strings.HasPrefix(name, "udp/")
}

// Device tells whether a path is a disk, a partition or the machine's memory.
func Device(path string) bool {
	if rest, ok := strings.CutPrefix(path, "/dev/"); ok {
		rest = strings.TrimPrefix(rest, "r") // macOS: rdisk0
		for _, p := range [...]string{
			"sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "mapper/", "dm-", "md", "loop", "nbd", "zd", "zvol/", "block/", "mem", "kmem",
			"port", "nvram", "sr", "sg", "ada", "da", "mtd", "ubi", "pmem", "bcache", "drbd", "dasd", "rbd", "vg",
		} {
			if strings.HasPrefix(rest, p) {
				return true
			}
		}
		return false
	}
	lower := strings.ToLower(strings.ReplaceAll(path, `\`, "/"))
	return strings.HasPrefix(lower, "//./physicaldrive") || strings.HasPrefix(lower, "//./harddisk") ||
		strings.HasPrefix(lower, "//./") && len(lower) == 6 && lower[5] == ':'
}
