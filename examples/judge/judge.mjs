// @ts-check
// The example of a hook in JavaScript with TypeScript's types; main.go has it in Go, judge.py in Python.
//
//   [[hooks]]
//   on = ["tool:before", "prompt:submit"]
//   command = ["node", "/path/to/judge.mjs"]
//   fail = "closed"
import { addContext, ask, command, deny, isTool, main, rewriteCommand } from "../../sdk/typescript/boathook.mjs";

/** @param {import("../../sdk/typescript/boathook.mjs").Event} event */
function judge(event) {
  switch (event.event) {
    case "prompt:submit":
      return event.prompt?.toLowerCase().includes("deploy") ? addContext("Deploys go through 'make deploy', after its checks.") : undefined;
    case "tool:before":
      return judgeTool(event);
  }
  return undefined;
}

/** @param {import("../../sdk/typescript/boathook.mjs").Event} event */
function judgeTool(event) {
  const line = command(event);
  if (line.includes("git push") && line.includes("--force")) {
    return deny("Force pushes are made by people.");
  }
  if (line.startsWith("npm publish")) {
    return ask("Publish this package?");
  }
  if (line.startsWith("npm install") && !line.includes("--ignore-scripts")) {
    return addContext("Install scripts are off on this machine.", rewriteCommand(event, line + " --ignore-scripts"));
  }
  if (isTool(event, "write_file", "edit_file")) {
    const secret = event.tool?.paths?.find((path) => path.endsWith(".env"));
    if (secret !== undefined) {
      return deny("Secrets are not written by agents: " + secret);
    }
  }
  return undefined;
}

main(judge);
