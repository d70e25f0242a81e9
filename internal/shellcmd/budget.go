package shellcmd

// budget bounds what one Parse does, over all nested texts.
type budget struct {
	steps, commands, bytes, depth int
	// procs counts process substitutions.
	procs int
	over  bool
	// running are the texts of files that are being run.
	running []string
}

const (
	// maxText is more than Linux hands a shell as one argument (128 KiB), and than anybody writes.
	maxText     = 256 << 10
	maxSteps    = 100_000
	maxCommands = 5_000
	maxBytes    = 8 << 20
	maxDepth    = 60
	// maxWord is how long one expanded word can get.
	maxWord = 1 << 20
)

func newBudget() *budget { return &budget{steps: maxSteps, commands: maxCommands, bytes: maxBytes} }

// step takes one unit of work and tells whether there was one.
func (b *budget) step() bool { return b.take(&b.steps, 1) }

// spend takes bytes of expanded text.
func (b *budget) spend(n int) bool { return b.take(&b.bytes, n) }

func (b *budget) take(from *int, n int) bool {
	if b.over || *from < n {
		b.over = true
		return false
	}
	*from -= n
	return true
}
