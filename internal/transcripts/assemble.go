package transcripts

// The items that may wait for the result of a call before them, and their texts' bytes. A call whose result is farther away comes without.
const (
	maxWaiting      = 4096
	maxWaitingBytes = 32 << 20
)

// queue puts results to their calls, and lets items out in the order in which they began.
type queue struct {
	each    func(Item) error
	items   []*Item
	open    map[string]*Item
	waiting map[*Item]bool
	bytes   int
	seen    map[string]bool
}

func newQueue(each func(Item) error) *queue {
	return &queue{each: each, open: map[string]*Item{}, waiting: map[*Item]bool{}, seen: map[string]bool{}}
}

// again tells whether an id was there before, of a message that was written again.
func (q *queue) again(id string) bool {
	if id == "" {
		return false
	}
	if q.seen[id] {
		return true
	}
	q.seen[id] = true
	return false
}

func weight(it *Item) int {
	switch {
	case it.Message != nil:
		return len(it.Message.Text) + len(it.Message.Content)
	case it.Use != nil:
		return len(it.Use.Input) + len(it.Use.Command) + len(it.Use.Output) + len(it.Use.Result)
	}
	return 0
}

// add takes a message, or a call that is complete.
func (q *queue) add(it Item) error {
	q.items = append(q.items, &it)
	q.bytes += weight(&it)
	return q.flush()
}

// begin takes a call whose result is still to come.
func (q *queue) begin(it Item) error {
	if it.Use.ID == "" {
		return q.add(it)
	}
	q.items = append(q.items, &it)
	q.bytes += weight(&it)
	q.open[it.Use.ID] = &it
	q.waiting[&it] = true
	return q.flush()
}

// end gives a call its result.
func (q *queue) end(id string, result func(*Use)) error {
	it := q.open[id]
	if it == nil {
		return nil
	}
	before := weight(it)
	result(it.Use)
	q.bytes += weight(it) - before
	delete(q.open, id)
	delete(q.waiting, it)
	return q.flush()
}

// settle lets everything out: nothing more will come of what is open.
func (q *queue) settle() error {
	clear(q.open)
	clear(q.waiting)
	return q.flush()
}

func (q *queue) flush() error {
	for len(q.items) > 0 {
		it := q.items[0]
		if q.waiting[it] && len(q.items) <= maxWaiting && q.bytes <= maxWaitingBytes {
			return nil
		}
		delete(q.waiting, it)
		if it.Use != nil && q.open[it.Use.ID] == it {
			delete(q.open, it.Use.ID)
		}
		q.items[0], q.items = nil, q.items[1:]
		q.bytes -= weight(it)
		if err := q.each(*it); err != nil {
			return err
		}
	}
	q.items = nil
	return nil
}
