export const description = "Guards and records what the agent does, with boathook."

// Amp takes an exception of a handler for a reason to stop the thread: none leaves one.
export default function (amp: any) {
  for (const event of events.filter((name) => handlers[name])) {
    try {
      amp.on(event, handlers[event])
    } catch {}
  }
}

const tell = (event: string, data: any) => hook(event, { event, data, cwd: process.cwd() })

const handlers: any = {
  "session.start": async (data: any) => {
    await tell("session.start", data)
  },
  "agent.start": async (data: any) => {
    const said = await tell("agent.start", data)
    return said.context ? { message: { content: said.context } } : {}
  },
  "tool.call": async (data: any, ctx: any) => {
    const said = await tell("tool.call", data)
    if (said.action === "deny" || said.input) return { action: "reject-and-continue", message: said.reason || "denied by boathook" }
    if (said.action === "ask") return await confirmed(said.reason, ctx)
    return { action: "allow" }
  },
  "tool.result": async (data: any) => {
    const said = await tell("tool.result", data)
    if (said.context) return extended(data, said.context)
  },
  "agent.end": async (data: any) => {
    await tell("agent.end", data)
  },
  "changes.prompt": async (data: any) => {
    const said = await tell("changes.prompt", data)
    if (said.context) return { append: said.context }
  },
}

// A person who does not answer for so long is not there.
const asking = 5 * 60 * 1000

// confirmed asks the user. Where there is none the call is refused.
async function confirmed(reason: string, ctx: any) {
  let yes
  try {
    const answer = ctx.ui.confirm({ title: "boathook asks for your approval", message: reason, confirmButtonText: "Allow" })
    yes = await Promise.race([answer, pause(asking)])
  } catch {
    return { action: "reject-and-continue", message: reason + " (needs a person's approval, and there is nobody to ask)" }
  }
  if (yes === true) return { action: "allow" }
  return { action: "reject-and-continue", message: reason + " (the user did not approve)" }
}

// extended is the result of a tool with a text behind it, in the form that the result has.
function extended(data: any, text: string) {
  const { status, error, output } = data
  if (typeof output === "string") return { status, error, output: output + "\n\n" + text }
  if (Array.isArray(output)) return { status, error, output: [...output, { type: "text", text }] }
  if (output !== null && typeof output === "object" && typeof output.output === "string") {
    return { status, error, output: { ...output, output: output.output + "\n\n" + text } }
  }
  if (status !== "done") return { status, error: (error ? error + "\n\n" : "") + text, output }
  if (output === undefined || output === null) return { status, output: text }
}
