package off

import (
	"time"

	"golang.org/x/sys/unix"
)

// uptime is how long the machine has been up, its sleep included.
func uptime() time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &ts); err != nil {
		return 0
	}
	return time.Duration(ts.Nano())
}
