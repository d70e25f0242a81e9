package recall

import "time"

// Asked is a prompt whose event could not be answered with text for the model, so that memory is asked at the next one that can.
type Asked struct {
	// Prompt is masked, and bounded.
	Prompt string    `json:"prompt"`
	Event  string    `json:"event"`
	Time   time.Time `json:"time"`
}

// maxWait is how long a question waits: later the session is about something else.
const maxWait = 30 * time.Minute

// Wait keeps a question; one that waited before is no longer asked.
func (b Book) Wait(session string, a Asked) error {
	path, err := b.path(session, ".ask")
	if err != nil {
		return err
	}
	a.Prompt = Question(a.Prompt)
	return write(path, a)
}

// Next gives the question that waits, once.
func (b Book) Next(session string) (Asked, bool) {
	path, err := b.path(session, ".ask")
	if err != nil {
		return Asked{}, false
	}
	var a Asked
	ok := take(path, &a)
	return a, ok && a.Prompt != "" && b.Now().Sub(a.Time) < maxWait
}
