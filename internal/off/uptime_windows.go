package off

import (
	"time"

	"golang.org/x/sys/windows"
)

// uptime is how long the machine has been up.
func uptime() time.Duration { return windows.DurationSinceBoot() }
