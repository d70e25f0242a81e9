package effect

import "github.com/boathook/boathook/policy"

// redirects notes the files that the shell opens for a command. They are flagged: who allows a program does not allow every file that
// its output may go to.
func (s *sheet) redirects() {
	from := len(s.out)
	defer func() {
		for i := range s.out[from:] {
			s.out[from+i].Flags = append(s.out[from+i].Flags, "redirect")
		}
	}()
	for _, r := range s.Redirects {
		switch r.Op {
		case ">", ">|", "&>", ">&":
			s.path(r.Target, change{kind: policy.Overwrite})
		case ">>", "&>>", "<>":
			s.path(r.Target, change{kind: policy.Write, verb: "append"})
		}
	}
}
