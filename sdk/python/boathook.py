"""Hooks of coding agents, written once: a function gets the canonical event and returns a decision.

    import boathook

    def judge(event):
        if "push --force" in boathook.command(event):
            return boathook.deny("force pushes are made by people")
        return None  # no objection

    boathook.main(judge)

Name the program in boathook's config ([[hooks]]), or wire it into an agent with `boathook exec -- PROGRAM`. This file needs
Python 3.8 and nothing else; copy it beside your hook. The types below are boathook's own JSON Schemas.
"""

import json
import os
import sys
import traceback
from typing import Any, Callable, Dict, List, Literal, Optional, TypedDict

# --- generated from the JSON Schemas: begin ---

Kind = Literal[
    "session:start",
    "session:stop",
    "prompt:submit",
    "agent:stop",
    "tool:before",
    "tool:after",
    "tool:error",
    "tool:batch",
    "permission:request",
    "model:before",
    "model:after",
    "tool:select",
    "compact:before",
    "compact:after",
    "subagent:start",
    "subagent:stop",
    "notification",
    "other",
]


class _MCP(TypedDict):
    server: str
    tool: str


class MCP(_MCP, total=False):
    """The Model Context Protocol server and tool behind a call."""

    pass


class Usage(TypedDict, total=False):
    """Token counts, where the agent states them."""

    input_tokens: int
    output_tokens: int
    total_tokens: int


class Notification(TypedDict, total=False):
    """What the agent showed, or was about to show, to its user."""

    type: str
    message: str
    # Any JSON value.
    details: Any


class _Tool(TypedDict):
    # The canonical name (bash, read_file, …) or, for a tool that has none, the agent's own.
    name: str
    # What the agent calls the tool.
    host_name: str
    # The family of the tool.
    kind: Literal["shell", "read", "write", "search", "web", "agent", "mcp", "memory", "plan", "ask", "media", "other"]


class Tool(_Tool, total=False):
    """The tool call that the event is about."""

    # The arguments as the agent sent them: any JSON value.
    input: Any
    # The agent's result: any JSON value.
    output: Any
    # Keyed hash (HMAC-SHA-256) of the unredacted input, in hex.
    input_hash: str
    # The agent's error text.
    error: str
    # Only where the agent's evidence shows it.
    status: Literal["success", "error"]
    # The command line of a shell tool, or what the arguments of an unknown one have for one, a line each.
    command: str
    # Paths in the arguments, in their order, as the agent wrote them.
    paths: List[str]
    # URLs in the arguments, in their order.
    urls: List[str]
    mcp: MCP
    # The call's duration, only where the agent itself states it.
    duration_ms: float


class _Event(TypedDict):
    # The event's ULID, made when the hook ran.
    id: str
    # When the hook ran, by this machine's clock, in UTC.
    time: str
    # The agent's id: gemini, antigravity, …
    agent: str
    # The canonical kind.
    event: Kind
    # The agent's own name of the event.
    host_event: str
    # 8 bytes in hex; the remote guard is told it and the exported span carries it.
    span_id: str


class Event(_Event, total=False):
    """One hook event of one coding agent in canonical form. A field that is not there means that the agent did not say. Further fields may come with later versions."""

    # Tells apart programs that share one agent id.
    product: str
    session_id: str
    turn_id: str
    call_id: str
    subagent_id: str
    # The session's working directory.
    cwd: str
    # The root of the repository that holds cwd, else cwd itself.
    project: str
    transcript_path: str
    tool: Tool
    prompt: str
    response: str
    model: str
    usage: Usage
    # Why a session started or a compaction ran.
    source: str
    # Why a session or a turn ended.
    reason: str
    notification: Notification
    # The W3C trace context that the agent's environment named, where it is a valid one.
    traceparent: str
    # What vendors added to that context.
    tracestate: str
    # The agent's payload with all its fields, known or not.
    raw: Dict[str, Any]


class Decision(TypedDict, total=False):
    """What a hook answers an event. An empty answer, {} and no output at all have no objection. Other members are refused."""

    # allow is no objection and grants nothing; ask has a person asked; deny stops the call, the prompt or the turn. Where an agent has no word for one, the next stricter one is said.
    action: Literal["allow", "ask", "deny"]
    # Why; the model and the user of the agent are shown it when the action is not allow.
    reason: str
    # Replaces the tool's whole input: an object of the same form as the event's tool.input.
    input: Dict[str, Any]
    # Text that the model gets to read.
    context: str

# --- generated from the JSON Schemas: end ---


def allow() -> Decision:
    """No objection. It grants nothing: what the agent would ask its user it asks all the same."""
    return {}


def deny(reason: str) -> Decision:
    """The call, the prompt or the turn does not happen; the model and the user get the reason."""
    return {"action": "deny", "reason": reason}


def ask(reason: str) -> Decision:
    """A person is asked; an agent that cannot ask is told to deny, and why."""
    return {"action": "ask", "reason": reason}


def rewrite(input: Dict[str, Any]) -> Decision:
    """The tool runs with this whole input instead of its own."""
    return {"input": input}


def add_context(text: str, decision: Optional[Decision] = None) -> Decision:
    """Text that the model gets to read, beside what the decision has already."""
    out: Decision = {}
    out.update(decision or {})
    out["context"] = "\n".join(part for part in (out.get("context", ""), text) if part)
    return out


def command(event: Event) -> str:
    """The command line of a shell tool, else an empty text."""
    return (event.get("tool") or {}).get("command", "")


def is_tool(event: Event, *names: str) -> bool:
    """Tells whether the event is about one of these tools, by canonical name or the agent's own."""
    tool = event.get("tool")
    return bool(tool) and (tool.get("name") in names or tool.get("host_name") in names)


def rewrite_command(event: Event, line: str) -> Decision:
    """The shell tool runs another command line, its other arguments as they are. Where the input has no one command line
    that could be set, it is a deny that tells the model the line to run."""
    tool = event.get("tool") or {}
    given, input = tool.get("command", ""), tool.get("input")
    found: List[str] = []
    if given and isinstance(input, dict):
        found = [name for name, value in input.items() if isinstance(value, str) and value == given]
    for name in ("command", "cmd", "CommandLine"):
        if name in found:
            found = [name]
    if len(found) != 1:
        return deny("run this instead: " + line)
    return rewrite({**input, found[0]: line})


def main(judge: Callable[[Event], Optional[Decision]], fail_closed: bool = False) -> None:
    """Asks judge about the event on standard input, prints its decision and ends the process.

    What judge raises is told to boathook by exit code 1, so that it can do what its config says of a hook without an
    answer; with fail_closed it is a deny as well. What the hook prints goes to standard error."""
    answer = os.dup(1)
    os.dup2(2, 1)  # also what programs that the hook starts print
    decision, code = _run(judge, fail_closed)
    if decision:
        _write(answer, (json.dumps(decision) + "\n").encode("ascii"))
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # a thread that the hook left behind must not hold the agent


def _run(judge: Callable[[Event], Optional[Decision]], fail_closed: bool):
    try:
        event = json.loads(sys.stdin.buffer.read().decode("utf-8", "replace"))
        if not isinstance(event, dict) or "host_event" not in event or "event" not in event:
            raise ValueError("standard input holds no canonical event; wire the program with 'boathook exec -- PROGRAM'")
        return _checked(judge(event)), 0  # type: ignore[arg-type]
    except BaseException as problem:  # also SystemExit: the agent waits for an answer
        traceback.print_exc()
        closed = deny("the hook gave no answer: %s" % type(problem).__name__)
        return (closed if fail_closed else None), 1


def _checked(decision: Optional[Decision]) -> Decision:
    """A decision that boathook would refuse is a deny: a slip must not open what was to be closed."""
    if decision is None:
        return {}
    if not isinstance(decision, dict) or set(decision) - {"action", "reason", "input", "context"}:
        return deny("the hook gave a decision that is none")
    if decision.get("action", "allow") not in ("allow", "ask", "deny"):
        return deny(str(decision.get("reason", "")))
    if not isinstance(decision.get("input", {}), dict):
        return deny("the hook wanted an input that is no object")
    texts = {name: str(decision[name]) for name in ("reason", "context") if decision.get(name) is not None}
    try:
        return json.loads(json.dumps({**decision, **texts}, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        return deny("the hook wanted an input that is no JSON")


def _write(fd: int, data: bytes) -> None:
    try:
        while data:
            data = data[os.write(fd, data) :]
    except OSError:
        pass  # whoever asked has gone
