package effect

import "github.com/boathook/boathook/policy"

// redirects notes the files that the shell opens for a command.
func (s *sheet) redirects() {
	for _, r := range s.Redirects {
		switch r.Op {
		case ">", ">|", "&>", ">&":
			s.path(r.Target, change{kind: policy.Overwrite})
		case ">>", "&>>", "<>":
			s.path(r.Target, change{kind: policy.Write, verb: "append"})
		}
	}
}
