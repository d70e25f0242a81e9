// Package otlp is the sink that sends stored events as spans to an OTLP endpoint. The worker calls it; internal/cli builds
// it. It must not import internal/hookrun or internal/cli.
//
// What it sends depends on what is stored and on the configuration alone, so that a span that is sent again is the same
// again, byte for byte. There are two families, and each can be switched off. <p> is the agent's prefix, which is its id:
// gemini, antigravity, claude, codex, ...
//
// # Event spans: one for each hook run
//
// Name <p>.<event in snake case>, such as gemini.before_tool; kind internal; from the event's time for the hook's
// latency; status unset. The span's id is the one that the remote guard was told. Parent: the span of the turn where
// there is one and GenAI spans are on, else the span that TRACEPARENT named.
//
//	attribute                      value
//	ingest.type                    the agent's prefix
//	<p>.hook                       the host's name of the event
//	<p>.agent                      what --agent said
//	<p>.product                    agy or antigravity2, where the transcript's path shows it
//	pinta.guard.decision           ALLOW, DENY or REVIEW; without a verdict what was done instead
//	pinta.guard.matched_rule       the rule that the guard named
//	pinta.guard.duration_ms        how long the guard took
//	pinta.guard.fail_open_reason   why there was no verdict (timeout, status_503, ...) and the call was allowed
//	session.id                     the session, also as gen_ai.conversation.id
//	boathook.event.kind, .id       the canonical kind (tool:before, ...) and the event's ULID
//	boathook.turn.id               the id of the event that began the turn
//	boathook.call.pairing          open, blocked, exact, unique, ambiguous or unmatched
//	boathook.tool.name, .kind      the canonical name and family of the tool
//	boathook.decision.action       allow, ask or deny
//	boathook.decision.expressed    the same as the host was told it
//	boathook.decision.source       default, remote_guard, guard_failed, on_error, user_hook, user_hook_failed
//	boathook.decision.rule, .mark, .reason(c)
//	boathook.guard.outcome, .fail  allow, deny, review, or why there was no verdict; open or closed
//	boathook.project(c)            the root of the repository
//	boathook.hook.latency_ms       from the start of the hook's process until its record was written
//	boathook.payload.bytes         the size of the payload as it came
//	boathook.privacy               minimal, where only hashes were kept
//	boathook.redactions            how many secrets were masked
//	boathook.redactions.types      the same by type, as "type=n"
//	boathook.notes(c)              what a person should know of this run; boathook.notes.count says how many
//	<p>.<key>(c)                   every top-level field of the host's payload, masked
//	boathook.payload.keys_dropped  how many of those have no attribute of their own
//
// Of the payload strings stay strings, numbers and booleans keep their type, objects and lists are compact JSON. A null is
// no attribute: OTLP has no value for it. Of a key that comes twice the last value counts, as for the hosts; a payload's
// own "hook", "agent" or "product" gives way to ours; control characters in keys become "_"; keys are cut to 128 bytes
// and there are at most 256. A value of more than 102,400 bytes is cut and says so ("…[TRUNCATED:n]"), and so are the last
// values of a span whose attributes would be larger than 1 MiB. A record without a payload (privacy = "minimal", or
// content that was too much to keep) gives the fields that it has, under the host's names.
//
// # GenAI spans: one for each turn, and one for each tool call that is proven or was blocked
//
// Names, attributes and kinds follow OpenTelemetry's semantic conventions for GenAI agents. invoke_agent {agent} lasts
// from the first event of a turn to its last and is the parent of all the turn's spans. execute_tool {tool} lasts from the
// Before to the After of one call; a call that was blocked never ran, so that its span has no length.
//
//	attribute                                invoke_agent  execute_tool
//	gen_ai.operation.name                    yes           yes
//	gen_ai.provider.name                     yes           yes           anthropic, openai, gcp.gen_ai (Google; which of its services is not known); none where an agent runs many's
//	gen_ai.agent.name                        yes           yes           the agent's prefix
//	gen_ai.conversation.id, session.id       yes           yes
//	gen_ai.tool.name                                       yes           the host's name
//	gen_ai.tool.type                                       yes           extension for MCP, else function
//	gen_ai.tool.call.id                                    yes           where the host has one
//	gen_ai.tool.call.arguments, .result(c)                 yes           JSON
//	gen_ai.request.model                     yes                         where the host says it
//	gen_ai.usage.input_tokens, .output_tokens yes                        where the host says them
//	gen_ai.input.messages, .output.messages(c) yes                       JSON: the prompt and the answer
//	error.type                               yes           yes           boathook.abandoned; boathook.denied, exit_code, tool_error
//	process.exit.code                                      yes           where the host says it
//	boathook.agent.product                   yes           yes           agy or antigravity2
//	boathook.turn.id                         yes           yes
//	boathook.turn.outcome                    yes                         completed, interrupted, abandoned
//	boathook.turn.reason                     yes                         the host's own word
//	boathook.turn.events                     yes
//	boathook.turn.calls.exact, .unique, .ambiguous, .unmatched, .blocked, .failed  yes
//	boathook.call.pairing                                  yes           exact, unique, blocked
//	boathook.call.before, .after                           yes           the ids of the events
//	boathook.call.host_duration_ms                         yes           where the host says it
//	boathook.tool.name, .kind                              yes
//	boathook.mcp.server, .tool                             yes
//
// The status is an error where error.type is set. On execute_tool the span event boathook.decision, at the time of the
// Before, has boathook.decision.* and the guard's attributes as on event spans.
//
// # Delivery
//
// The cursor moves behind what the destination accepted, request by request, and never over anything else. A span is sent
// again only where the answer to its request was lost. What a destination refuses is halved until single spans are left;
// such a one is sent once more without its attributes (boathook.reduced), and is dropped only when others were accepted
// before or after it: eight refusals in a row, or nothing but refusals, are taken for a wrong endpoint, and all is kept.
// The store counts spans_rejected (by a partial success), spans_refused (dropped), spans_reduced, spans_unmapped (no span
// could be made of the event) and calls_unmatched (a proven call whose Before is no longer stored).
//
// # Content
//
// With telemetry.content = "none" attributes marked (c) are left out, and so is any name, id or word that isn't made of
// letters, digits and "_.:@-" alone or is longer than 128 bytes (a tool's name is "_OTHER" then). Of the payload there
// remain: session_id, hook_event_name, timestamp, tool_name, source, trigger, reason, notification_type and
// stop_hook_active of Gemini CLI; the same, prompt_id, turn_id, agent_id, permission_mode, model, tool_use_id, tool_call_id,
// duration_ms and is_interrupt of Claude Code, Codex and Qwen Code; conversationId, modelName, stepIdx, invocationNum, initialNumSteps, executionNum,
// fullyIdle and terminationReason of Antigravity; each only with a value of the shape that it should have.
package otlp
