-- What is counted over a time comes out of an index alone, in the order in which it is counted.
CREATE INDEX events_counts ON events (agent, action, source, time_ns);
