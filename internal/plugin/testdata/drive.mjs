// Drives a plugin as its agent does, with one call of a tool and what comes around it, and prints what became of them.
import { pathToFileURL } from "node:url"

const [file, agent, what] = process.argv.slice(2)
const plugin = await import(pathToFileURL(file).href)
const said = {}

function round(payload) {
  if (what !== "odd") return payload
  payload.self = payload
  return payload
}

if (agent === "opencode") {
  const hooks = await plugin.Boathook(what === "odd" ? undefined : { directory: "/p", worktree: "/p" })
  await hooks.event({ event: { type: "session.created", properties: { sessionID: "s", info: { id: "s" } } } })
  if (what === "odd") {
    await hooks.event({})
    await hooks.event({ event: { type: "message.part.updated" } })
  }
  const turn = { message: { id: "msg_1", sessionID: "s" }, parts: [{ id: "prt_1", type: "text", text: "hello" }] }
  said.prompt = await hooks["chat.message"](round({ sessionID: "s" }), turn).then(() => turn.parts.map((p) => p.text), (e) => "denied: " + e.message)
  const call = { args: { command: "ls", description: "d" } }
  if (what === "frozen") Object.freeze(call.args)
  said.call = await hooks["tool.execute.before"](round({ tool: "bash", sessionID: "s", callID: "c" }), call).then(() => call.args, (e) => "denied: " + e.message)
  const result = what === "mcp" ? { content: [{ type: "text", text: "out" }] } : { output: "out" }
  await hooks["tool.execute.after"](round({ tool: "bash", sessionID: "s", callID: "c", args: {} }), result)
  said.result = result
  await hooks.dispose()
} else {
  const handlers = {}
  plugin.default({ on: (event, handler) => (handlers[event] = handler) })
  const ctx = what === "yes" || what === "no" ? { ui: { confirm: async () => what === "yes" } } : {}
  await handlers["session.start"](round({ thread: { id: "T" } }), ctx)
  said.prompt = await handlers["agent.start"](round({ thread: { id: "T" }, message: "hello" }), ctx)
  said.call = await handlers["tool.call"](round({ thread: { id: "T" }, tool: "Bash", input: { cmd: "ls" } }), ctx)
  const output = { mcp: [{ type: "text", text: "out" }], object: { output: "out", exitCode: 0 }, none: undefined }
  const result = { thread: { id: "T" }, tool: "Bash", input: {}, status: "done", output: what in output ? output[what] : "out" }
  said.result = (await handlers["tool.result"](round(result), ctx)) ?? "unchanged"
  said.end = (await handlers["agent.end"](round({ thread: { id: "T" } }), ctx)) ?? "unchanged"
}
console.log(JSON.stringify(said))
