package transcripts

import (
	"regexp"
	"strconv"
	"sync"
)

// exitCodes are the ways in which agents write the exit code of a command into its result: Gemini and Qwen, Codex, Copilot.
var exitCodes = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`\nExit Code: (-?\d{1,9})\n(?:[A-Z][A-Za-z ]*: [^\n]*\n)*(?:</untrusted_context>\s*)?$`),
		regexp.MustCompile(`\A(?:Chunk ID: [^\n]*\n)?(?:Wall time: [^\n]*\n)?(?:Process exited with code|Exit code:) (-?\d{1,9})\n`),
		regexp.MustCompile(`<shellId: [^>\n]{1,64} completed with exit code (-?\d{1,9})>\s*$`),
	}
})

// exitStatus makes a success an error where the result says that a command failed: the tool ran, what it ran did not work.
func exitStatus(u *Use, output string) {
	if len(output) > 8<<10 { // it stands at one end
		output = output[:4<<10] + output[len(output)-4<<10:]
	}
	for _, re := range exitCodes() {
		m := re.FindStringSubmatch(output)
		if m == nil {
			continue
		}
		switch code, err := strconv.Atoi(m[1]); {
		case err != nil:
		case code != 0 && u.Status != statusBlocked:
			u.Status, u.Error = statusError, "exit code "+m[1]
		case code == 0 && u.Status == "":
			u.Status = statusSuccess
		}
		return
	}
}
