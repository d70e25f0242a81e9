package recall

// mendedFirst moves what worked in a session up, behind the first that is told of it: the budget is spent from the front, and what was
// done about something helps more than a second symptom of it.
func mendedFirst(items []Item) []Item {
	out := make([]Item, 0, len(items))
	begun, taken := map[string]bool{}, make([]bool, len(items))
	for i, it := range items {
		if taken[i] {
			continue
		}
		out = append(out, it)
		if begun[it.session] {
			continue
		}
		begun[it.session] = true
		if it.heading == worked {
			continue
		}
		for j := i + 1; j < len(items); j++ {
			if items[j].session == it.session && items[j].heading == worked && !taken[j] {
				out, taken[j] = append(out, items[j]), true
				break
			}
		}
	}
	return out
}
