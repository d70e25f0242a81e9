// opencode takes an exception of a plugin for a deny: none leaves one but those that are.
export const Boathook = async (ctx) => {
  const wanted = new Set(events)
  const parents = new Map()
  const sessions = new Set()
  const texts = new Map()
  const failed = new Set()
  // Events of the bus are told in their order, and before what comes after them.
  let queue = Promise.resolve()

  const payload = (input, output, more) => {
    const properties = input?.properties ?? {}
    const id = input?.sessionID ?? properties.sessionID ?? properties.info?.id ?? properties.part?.sessionID
    return { directory: ctx?.directory, worktree: ctx?.worktree, parentID: parents.get(id), input, output, ...more }
  }
  const later = (event, input, more) => {
    queue = queue.then(() => hook(event, payload(input, undefined, more))).catch(() => {})
  }
  const begun = (id) => {
    if (id && !parents.has(id)) sessions.add(id)
  }
  const now = async (event, input, output) => {
    try {
      begun(input.sessionID)
      await Promise.race([queue, pause(1000)])
      return await hook(event, payload(input, output))
    } catch {
      return {}
    }
  }

  const all = {
    "chat.message": async (input, output) => {
      const said = await now("chat.message", input, output)
      if (said.action) throw new Error(said.reason)
      if (said.context) addPart(output, said.context)
    },
    "tool.execute.before": async (input, output) => {
      const said = await now("tool.execute.before", input, output)
      const refusal = said.action ? said.reason : said.input ? replaced(output, said.input) : ""
      if (refusal) throw new Error(refusal)
    },
    "tool.execute.after": async (input, output) => {
      const said = await now("tool.execute.after", input, output)
      if (said.context) extend(output, said.context)
    },
    "experimental.session.compacting": async (input, output) => {
      await now("experimental.session.compacting", input, output)
    },
    "command.execute.before": async (input, output) => {
      await now("command.execute.before", input, output)
    },
    "chat.params": async (input, output) => {
      const model = { id: input?.model?.id, providerID: input?.model?.providerID }
      await now("chat.params", { sessionID: input?.sessionID, agent: input?.agent, model }, output)
    },
    "experimental.text.complete": async (input, output) => {
      await now("experimental.text.complete", input, output)
    },
  }

  const hooks = {}
  for (const [event, handler] of Object.entries(all)) {
    if (wanted.has(event)) hooks[event] = handler
  }

  hooks.event = async ({ event }) => {
    try {
      const properties = event.properties ?? {}
      const { info, part, sessionID } = properties
      switch (event.type) {
        case "session.created":
          if (info?.parentID) parents.set(info.id, parents.get(info.parentID) ?? info.parentID)
          begun(info?.id)
          break
        case "session.deleted":
          sessions.delete(sessionID ?? info?.id)
          break
        case "message.part.updated":
          if (part?.type === "text" && part.time?.end) texts.set(part.sessionID, part.text)
          if (part?.type !== "tool" || part.state?.status !== "error" || failed.has(part.id)) return
          failed.add(part.id)
      }
      if (!wanted.has(event.type)) return
      let more
      if (event.type === "session.idle") {
        more = { text: texts.get(sessionID) }
        texts.delete(sessionID)
      }
      later(event.type, event, more)
    } catch {}
  }

  // opencode waits for this when it ends, and not for what its bus tells.
  hooks.dispose = async () => {
    const ended = wanted.has("dispose") ? [...sessions] : []
    const told = queue.then(() => Promise.all(ended.map((id) => hook("dispose", payload({ sessionID: id })))))
    await Promise.race([told, pause(2000)]).catch(() => {})
  }
  return hooks
}

// replaced sets a tool's input, in the object that opencode goes on with. What can't be set must not run as it was.
function replaced(output, input) {
  try {
    for (const key of Object.keys(output.args)) delete output.args[key]
    Object.assign(output.args, input)
    if (JSON.stringify(output.args) === JSON.stringify(input)) return ""
  } catch {}
  return "boathook could not set another input for this call; it was to be " + JSON.stringify(input)
}

// extend puts a text behind a tool's output: opencode's own tools have a text there, those of MCP servers a list.
function extend(output, text) {
  try {
    if (typeof output.output === "string") output.output += "\n\n" + text
    else if (Array.isArray(output.content)) output.content.push({ type: "text", text })
  } catch {}
}

// addPart puts a text behind the user's prompt, as opencode does with its own.
function addPart(output, text) {
  try {
    const last = output.parts[output.parts.length - 1]
    const { id, sessionID } = output.message
    output.parts.push({ id: last.id + "0", messageID: id, sessionID, type: "text", text, synthetic: true })
  } catch {}
}
