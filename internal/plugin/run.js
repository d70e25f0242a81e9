// A hook answers within its own deadline, and where a program of the user's is asked, within 20 seconds. What takes longer
// than this hangs.
const limit = 35000
// How long a child of the hook's that outlives it may hold its output.
const patience = 1000
const largest = 4 << 20

// hook tells boathook of an event and gives its decision, which is {} where there is none, whatever became of the child. It
// never throws.
function hook(event, payload) {
  return new Promise((resolve) => {
    let child, timer
    let open = true
    const end = (said) => {
      if (!open) return
      open = false
      clearTimeout(timer)
      try {
        child.stdout.destroy()
        child.stdin.destroy()
        child.unref()
      } catch {}
      resolve(said)
    }
    const kill = () => {
      try {
        child.kill("SIGKILL")
      } catch {}
      end({})
    }
    try {
      const input = JSON.stringify(payload)
      const env = { ...process.env }
      for (const name of unset) delete env[name]
      const args = ["hook", "--agent", agent, "--event", event, "--config", config]
      child = spawn(program, args, { env, stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
      timer = setTimeout(kill, limit)
      const chunks = []
      let size = 0
      let code = null
      const answer = () => end(code === 0 ? decision(Buffer.concat(chunks).toString("utf8")) : {})
      child.on("error", () => end({}))
      child.stdin.on("error", () => {})
      child.stdout.on("error", () => {})
      child.stdout.on("data", (chunk) => {
        size += chunk.length
        if (size > largest) kill()
        else chunks.push(chunk)
      })
      child.on("exit", (status) => {
        code = status
        if (open) {
          clearTimeout(timer)
          timer = setTimeout(answer, patience)
        }
      })
      child.on("close", answer)
      child.stdin.end(input)
    } catch {
      end({})
    }
  })
}

// decision reads an answer. What is none has no objection.
function decision(text) {
  try {
    const said = JSON.parse(text)
    if (said === null || typeof said !== "object" || Array.isArray(said)) return {}
    const out = {}
    if (said.action === "deny" || said.action === "ask") {
      out.action = said.action
      out.reason = typeof said.reason === "string" && said.reason !== "" ? said.reason : "denied by boathook"
    }
    if (said.input !== null && typeof said.input === "object" && !Array.isArray(said.input)) out.input = said.input
    if (typeof said.context === "string" && said.context !== "") out.context = said.context
    return out
  } catch {
    return {}
  }
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
