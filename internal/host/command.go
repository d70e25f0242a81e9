package host

import "strings"

// Runs tells whether a command line runs boathook's hook for an agent. Other programs may take the same words: it counts
// where the program's name is boathook, or stands between what install puts around it, whatever its name.
func Runs(agent, command string) bool {
	before, after, found := strings.Cut(command, " hook --agent "+agent+" --event ")
	if !found {
		return false
	}
	if strings.Contains(before, "[ -x ") && strings.Contains(after, " --config ") {
		return true
	}
	name := before[strings.LastIndexAny(before, "/ \t\n;&|(")+1:]
	return strings.Trim(name, `'"\`) == "boathook"
}
