-- Whether something that is still to be sent names an event as the begin of its call.
CREATE INDEX events_before ON events (before_id) WHERE before_id <> '';
