package postgres

import "slices"

// token is what stands in the index for a term of a project.
func token(project, term string) int64 {
	const prime = 1099511628211
	h := uint64(14695981039346656037) // FNV-1a
	for _, part := range []string{project, term} {
		for i := range len(part) {
			h = (h ^ uint64(part[i])) * prime
		}
		h = (h ^ 0xff) * prime // no byte of a text: a project's end is not a term's beginning
	}
	h ^= h >> 32
	h *= 0x9E3779B97F4A7C15
	return int64(h ^ h>>29)
}

// tokens are those of a chunk, each once.
func tokens(project string, terms []string) []int64 {
	out := make([]int64, 0, len(terms))
	for _, t := range terms {
		out = append(out, token(project, t))
	}
	slices.Sort(out)
	return slices.Compact(out)
}
