// Package memory is the sink that remembers: it takes stored events to a memory store, and at the end of a session what its agent's own
// record tells besides. The worker calls it; internal/cli builds it. It must not import internal/hookrun or internal/cli.
//
// Events become rows (package memory/intake) in batches of a hundred at most, each written in one transaction; the cursor moves when the
// store has taken them. A batch that was written and not noted is written again, and changes nothing: rows are known by their content.
// A store that can't be had is waited for, with the cursor where it is: what waits is in the event store, whose retention knows of the
// cursor. A row that the store refuses for good is found by halving, put into memory-bad.jsonl, counted, and passed.
//
// The first time that memory is on, the sink begins with the oldest event that is stored, so that what is there is remembered. Afterwards
// a sink that was off begins at the head, as the others do: what happened while memory was off is not remembered (memory backfill can
// do that, when asked).
//
// A session that has ended, or told nothing for ten minutes, is finished: its agent's record is read for what hooks don't carry, calls
// whose end was never told are noted as such, and it gets a summary. Which sessions have that before them is kept in the cursor.
//
// Once an hour rows that are too old are removed, a bounded number at once. Vectors are filled in by a sink of their own (Vectors), so
// that a slow embedder holds nothing up.
package memory
