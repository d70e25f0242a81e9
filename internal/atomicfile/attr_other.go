//go:build !linux

package atomicfile

// keepAttributes keeps none: elsewhere they don't change what the mode says.
func keepAttributes(string, string) bool { return true }
