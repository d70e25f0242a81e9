// Package metrics is the sink that counts stored events and sends the counts to an OTLP endpoint. The worker calls it;
// internal/cli builds it. It must not import internal/hookrun or internal/cli.
//
// Every point is cumulative: a request that was lost costs nothing, since the next one says the same and more. What is
// counted, and since when, is kept in the sink's cursor, in the same write as how far the events are read, so that no
// event is counted twice, and a worker goes on where another one left off. Counting never waits for the endpoint.
//
//	metric                       kind        unit         attributes
//	boathook.hook.duration       histogram   s            gen_ai.agent.name, boathook.event.kind
//	boathook.hook.payload.size   histogram   By           gen_ai.agent.name
//	boathook.decisions           sum         {decision}   gen_ai.agent.name, boathook.decision.{action,expressed,source}
//	boathook.guard.requests      sum         {request}    boathook.guard.outcome
//	boathook.guard.duration      histogram   s            boathook.guard.outcome
//	boathook.redactions          sum         {redaction}  boathook.redaction.type
//	boathook.turns               sum         {turn}       gen_ai.agent.name, boathook.turn.outcome
//	boathook.memory.recalls      sum         {recall}     gen_ai.agent.name, boathook.recall.outcome
//	ltm_retrieval_latency_ms     histogram   {ms}         boathook.recall.outcome
//	boathook.events.dropped      sum         {event}      the spool was over its cap
//	boathook.events.quarantined  sum         {event}      files of the spool that were no events
//	boathook.events.not_kept     sum         {event}      hooks that could not write to the spool
//	boathook.stores.corrupt      sum         {store}      stores that were moved aside
//	boathook.spans.rejected      sum         {span}       by partial successes
//	boathook.spans.refused       sum         {span}       each alone
//	boathook.points.rejected     sum         {point}      of metrics, by partial successes
//	boathook.memory.rows         sum         {row}        messages and tool calls that memory took
//	boathook.memory.refused      sum         {row}        which it refused for good
//	boathook.memory.failed       sum         {row}        of tries that it did not take
//	boathook.spool.depth         gauge       {event}      events that no worker has stored yet
//	boathook.spool.size          gauge       By           their size
//	boathook.spool.age           gauge       s            since the oldest was written
//	boathook.sink.lag            gauge       {event}      boathook.sink: stored events that it has not taken
//	boathook.sink.tries          gauge       {try}        boathook.sink: failures since its last success
//	ltm_ingest_success_rate      gauge       {share}      of the rows that memory was given since the last export
//	ltm_ingest_lag_seconds       gauge       s            since the oldest event that memory has not taken
//	ltm_spool_queue_depth        gauge       {event}      that memory has not taken
//	ltm_context_hit_rate         gauge       {share}      of the questions to memory that found something
//
// No attribute holds content. A value that isn't made of letters, digits and "_.:@-" alone, or is longer than 64 bytes,
// counts as "_OTHER"; beyond 1,000 sets of attributes what is new counts in one that has otel.metric.overflow.
//
// The resource is that of the spans, with service.name boathook and a random service.instance.id that is kept with the
// counts: two users of one machine count apart.
package metrics
