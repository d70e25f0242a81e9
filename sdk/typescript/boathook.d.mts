// The types of boathook.mjs.

// --- generated from the JSON Schemas: begin ---

export type Kind =
  | "session:start"
  | "session:stop"
  | "prompt:submit"
  | "agent:stop"
  | "tool:before"
  | "tool:after"
  | "tool:error"
  | "tool:batch"
  | "permission:request"
  | "model:before"
  | "model:after"
  | "tool:select"
  | "compact:before"
  | "compact:after"
  | "subagent:start"
  | "subagent:stop"
  | "notification"
  | "other";

/** The Model Context Protocol server and tool behind a call. */
export interface MCP {
  server: string;
  tool: string;
}

/** Token counts, where the agent states them. */
export interface Usage {
  input_tokens?: number;
  output_tokens?: number;
  total_tokens?: number;
}

/** What the agent showed, or was about to show, to its user. */
export interface Notification {
  type?: string;
  message?: string;
  /** Any JSON value. */
  details?: unknown;
}

/** The tool call that the event is about. */
export interface Tool {
  /** The canonical name (bash, read_file, …) or, for a tool that has none, the agent's own. */
  name: string;
  /** What the agent calls the tool. */
  host_name: string;
  /** The family of the tool. */
  kind: "shell" | "read" | "write" | "search" | "web" | "agent" | "mcp" | "memory" | "plan" | "ask" | "media" | "other";
  /** The arguments as the agent sent them: any JSON value. */
  input?: unknown;
  /** The agent's result: any JSON value. */
  output?: unknown;
  /** Keyed hash (HMAC-SHA-256) of the unredacted input, in hex. */
  input_hash?: string;
  /** The agent's error text. */
  error?: string;
  /** Only where the agent's evidence shows it. */
  status?: "success" | "error";
  /** The command line of a shell tool, or what the arguments of an unknown one have for one, a line each. */
  command?: string;
  /** Paths in the arguments, in their order, as the agent wrote them. */
  paths?: string[];
  /** URLs in the arguments, in their order. */
  urls?: string[];
  mcp?: MCP;
  /** The call's duration, only where the agent itself states it. */
  duration_ms?: number;
}

/** One hook event of one coding agent in canonical form. A field that is not there means that the agent did not say. Further fields may come with later versions. */
export interface Event {
  /** The event's ULID, made when the hook ran. */
  id: string;
  /** When the hook ran, by this machine's clock, in UTC. */
  time: string;
  /** The agent's id: gemini, antigravity, … */
  agent: string;
  /** Tells apart programs that share one agent id. */
  product?: string;
  /** The canonical kind. */
  event: Kind;
  /** The agent's own name of the event. */
  host_event: string;
  session_id?: string;
  turn_id?: string;
  call_id?: string;
  subagent_id?: string;
  /** The session's working directory. */
  cwd?: string;
  /** The root of the repository that holds cwd, else cwd itself. */
  project?: string;
  transcript_path?: string;
  tool?: Tool;
  prompt?: string;
  response?: string;
  model?: string;
  usage?: Usage;
  /** Why a session started or a compaction ran. */
  source?: string;
  /** Why a session or a turn ended. */
  reason?: string;
  notification?: Notification;
  /** 8 bytes in hex; the remote guard is told it and the exported span carries it. */
  span_id: string;
  /** The W3C trace context that the agent's environment named, where it is a valid one. */
  traceparent?: string;
  /** What vendors added to that context. */
  tracestate?: string;
  /** The agent's payload with all its fields, known or not. */
  raw?: Record<string, unknown>;
}

/** What a hook answers an event. An empty answer, {} and no output at all have no objection. Other members are refused. */
export interface Decision {
  /** allow is no objection and grants nothing; ask has a person asked; deny stops the call, the prompt or the turn. Where an agent has no word for one, the next stricter one is said. */
  action?: "allow" | "ask" | "deny";
  /** Why; the model and the user of the agent are shown it when the action is not allow. */
  reason?: string;
  /** Replaces the tool's whole input: an object of the same form as the event's tool.input. */
  input?: Record<string, unknown>;
  /** Text that the model gets to read. */
  context?: string;
}

// --- generated from the JSON Schemas: end ---

/** No objection. It grants nothing: what the agent would ask its user it asks all the same. */
export function allow(): Decision;

/** The call, the prompt or the turn does not happen; the model and the user get the reason. */
export function deny(reason: string): Decision;

/** A person is asked; an agent that cannot ask is told to deny, and why. */
export function ask(reason: string): Decision;

/** The tool runs with this whole input instead of its own. */
export function rewrite(input: Record<string, unknown>): Decision;

/** Text that the model gets to read, beside what the decision has already. */
export function addContext(text: string, decision?: Decision): Decision;

/** The command line of a shell tool, else an empty text. */
export function command(event: Event): string;

/** Tells whether the event is about one of these tools, by canonical name or the agent's own. */
export function isTool(event: Event, ...names: string[]): boolean;

/** The shell tool runs another command line, its other arguments as they are; where that cannot be, a deny that says the line. */
export function rewriteCommand(event: Event, line: string): Decision;

/** Asks judge about the event on standard input, prints its decision and ends the process. */
export function main(
  judge: (event: Event) => Decision | undefined | void | Promise<Decision | undefined | void>,
  options?: { failClosed?: boolean },
): Promise<never>;
