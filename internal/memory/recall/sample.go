package recall

import "hash/fnv"

// Sampled tells whether memory is asked at an event, where it is for so many of a hundred: for the same event always the same.
func Sampled(event string, percent int) bool {
	if percent >= 100 {
		return true
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(event)) // never fails
	sum := h.Sum32()
	sum ^= sum >> 15
	return int((sum*2654435761)>>16)%100 < percent
}
