package install

import "slices"

// Configs are those that the installed hooks read, each once: the user's own hooks before those in projects.
func Configs(places []Installation) []string {
	var out []string
	for _, project := range []bool{false, true} {
		for _, in := range places {
			if in.Workspace == project && in.Config != "" && !slices.Contains(out, in.Config) {
				out = append(out, in.Config)
			}
		}
	}
	return out
}
