//go:build unix && !linux

package off

import (
	"time"

	"golang.org/x/sys/unix"
)

// uptime is how long the machine has been up.
func uptime() time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
		return 0
	}
	return time.Duration(ts.Nano())
}
