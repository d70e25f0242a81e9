-- Counts by kind over a time come out of an index alone, from one kind to the next.
CREATE INDEX events_counts ON events (agent, action, source, time_ns);
