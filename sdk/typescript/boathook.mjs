// Hooks of coding agents, written once: a function gets the canonical event and returns a decision.
//
//   import { main, command, deny } from "./boathook.mjs";
//
//   main((event) => command(event).includes("push --force") ? deny("force pushes are made by people") : undefined);
//
// Name the program in boathook's config ([[hooks]]), or wire it into an agent with `boathook exec -- node PROGRAM`. This file
// needs Node.js 18 and nothing else; copy it beside your hook, with boathook.d.mts, which has the types.
import { readFileSync, writeSync } from "node:fs";

/** @typedef {import("./boathook.d.mts").Event} Event */
/** @typedef {import("./boathook.d.mts").Decision} Decision */

/** No objection. It grants nothing: what the agent would ask its user it asks all the same. @returns {Decision} */
export function allow() {
  return {};
}

/** The call, the prompt or the turn does not happen; the model and the user get the reason. @param {string} reason @returns {Decision} */
export function deny(reason) {
  return { action: "deny", reason };
}

/** A person is asked; an agent that cannot ask is told to deny, and why. @param {string} reason @returns {Decision} */
export function ask(reason) {
  return { action: "ask", reason };
}

/** The tool runs with this whole input instead of its own. @param {Record<string, unknown>} input @returns {Decision} */
export function rewrite(input) {
  return { input };
}

/** Text that the model gets to read, beside what the decision has already. @param {string} text @param {Decision} [decision] @returns {Decision} */
export function addContext(text, decision = {}) {
  return { ...decision, context: [decision.context, text].filter(Boolean).join("\n") };
}

/** The command line of a shell tool, else an empty text. @param {Event} event */
export function command(event) {
  return event.tool?.command ?? "";
}

/** Tells whether the event is about one of these tools, by canonical name or the agent's own. @param {Event} event @param {string[]} names */
export function isTool(event, ...names) {
  return event.tool !== undefined && (names.includes(event.tool.name) || names.includes(event.tool.host_name));
}

/**
 * The shell tool runs another command line, its other arguments as they are. Where the input has no one command line that
 * could be set, it is a deny that tells the model the line to run.
 * @param {Event} event
 * @param {string} line
 * @returns {Decision}
 */
export function rewriteCommand(event, line) {
  const input = event.tool?.input;
  const given = command(event);
  /** @type {string[]} */
  let found = [];
  if (given !== "" && isObject(input)) {
    found = Object.keys(input).filter((name) => input[name] === given);
  }
  for (const name of ["command", "cmd", "CommandLine"]) {
    if (found.includes(name)) {
      found = [name];
    }
  }
  if (found.length !== 1) {
    return deny("run this instead: " + line);
  }
  return rewrite({ .../** @type {Record<string, unknown>} */ (input), [found[0]]: line });
}

/**
 * Asks judge about the event on standard input, prints its decision and ends the process.
 *
 * What judge throws is told to boathook by exit code 1, so that it can do what its config says of a hook without an answer;
 * with failClosed it is a deny as well. What the hook prints with console or process.stdout goes to standard error.
 * @param {(event: Event) => Decision | undefined | void | Promise<Decision | undefined | void>} judge
 * @param {{ failClosed?: boolean }} [options]
 * @returns {Promise<never>}
 */
export async function main(judge, options = {}) {
  process.stdout.write = /** @type {typeof process.stdout.write} */ (process.stderr.write.bind(process.stderr));
  /** @type {Decision} */
  let decision = {};
  let code = 0;
  const failed = (/** @type {unknown} */ problem) => {
    code = 1;
    decision = options.failClosed ? deny("the hook gave no answer: " + (problem instanceof Error ? problem.name : "it threw")) : {};
    print(2, (problem instanceof Error ? problem.stack : String(problem)) + "\n");
  };
  process.on("uncaughtException", (problem) => {
    failed(problem);
    finish(decision, code);
  });
  try {
    const event = JSON.parse(readFileSync(0, "utf8"));
    if (!isObject(event) || !("event" in event) || !("host_event" in event)) {
      throw new Error("standard input holds no canonical event; wire the program with 'boathook exec -- PROGRAM'");
    }
    decision = checked(await judge(/** @type {Event} */ (/** @type {unknown} */ (event))));
  } catch (problem) {
    failed(problem);
  }
  return finish(decision, code);
}

/** @param {Decision} decision @param {number} code @returns {never} */
function finish(decision, code) {
  if (Object.keys(decision).length > 0) {
    print(1, JSON.stringify(decision) + "\n");
  }
  process.exit(code);
}

/**
 * A decision that boathook would refuse is a deny: a slip must not open what was to be closed.
 * @param {Decision | undefined | void | null} decision
 * @returns {Decision}
 */
function checked(decision) {
  if (decision === undefined || decision === null) {
    return {};
  }
  if (!isObject(decision) || Object.keys(decision).some((name) => !["action", "reason", "input", "context"].includes(name))) {
    return deny("the hook gave a decision that is none");
  }
  if (!["allow", "ask", "deny"].includes(/** @type {Decision} */ (decision).action ?? "allow")) {
    return deny(String(/** @type {Decision} */ (decision).reason ?? ""));
  }
  if (decision.input !== undefined && !isObject(decision.input)) {
    return deny("the hook wanted an input that is no object");
  }
  /** @type {Decision} */
  const said = { .../** @type {Decision} */ (decision) };
  for (const name of /** @type {const} */ (["reason", "context"])) {
    if (said[name] !== undefined && said[name] !== null) {
      said[name] = String(said[name]);
    }
  }
  try {
    return JSON.parse(JSON.stringify(said));
  } catch {
    return deny("the hook wanted an input that is no JSON");
  }
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Writes all of it before it returns. A pipe may be full for a moment.
 * @param {number} fd
 * @param {string} text
 */
function print(fd, text) {
  let data = Buffer.from(text);
  while (data.length > 0) {
    try {
      data = data.subarray(writeSync(fd, data));
    } catch (problem) {
      if (/** @type {NodeJS.ErrnoException} */ (problem).code !== "EAGAIN") {
        return; // whoever asked has gone
      }
    }
  }
}
