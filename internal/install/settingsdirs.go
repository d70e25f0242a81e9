package install

// SettingsDirs are the directories of the agents whose own settings can switch hooks off, by id.
func SettingsDirs(env Env) map[string]string {
	return map[string]string{
		"claude": claudeDir(env), "codex": codexDir(env), "copilot": copilotDir(env), "gemini": geminiDir(env), "qwen": qwenDir(env),
	}
}
