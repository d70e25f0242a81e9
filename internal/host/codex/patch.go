package codex

// patchTool has a patch where a shell has its command line.
const patchTool = "apply_patch"
