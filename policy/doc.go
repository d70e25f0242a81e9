// Package policy is the rule model: rules, packs and layers; what a rule says of a call; why. It is pure: it reads no
// file but what it is given, starts nothing and asks nobody. Effects come from who read the call.
//
// # A file
//
// A policy is TOML. Parse reads it and says of everything that is wrong the line, the key and the cure.
//
//	version = 1
//	packs = ["default"]            # built-in packs that count
//	mode = "enforce"               # or shadow: all is told, nothing is stopped
//
//	[override.delete-tree]         # a rule of a pack: another action, off, or a mode
//	action = "ask"
//
//	[[rules]]
//	id = "no-push-to-main"
//	action = "ask"                 # deny, ask, rewrite, warn, allow
//	reason = "main is released from."
//	advice = "Push a branch and open a pull request."
//	mode = "shadow"
//	expires = 2027-12-31
//	fail = "ask"                   # what to do where only a run would tell whether the rule matches
//	when = { command = "git push", argv = "re:(^|[:/])main$" }
//	examples = [{ command = "git push origin main", expect = "ask" }]
//
// # What a rule matches
//
// Each key of when takes a pattern or a list, of which one must match; "!…" must not. In a pattern * is any run of characters
// and ? any one; "re:…" is a regular expression (RE2) that is found anywhere in the text. A rule is matched with each effect of a call
// if it names effect, verb, where, flags, not_flags, path or url; else with each command if it names command or argv; else with the
// call itself. command and argv beside an effect are about that effect's command.
//
//	agent, event, tool, mcp    the agent's id, the canonical kind, the tool's canonical name or the agent's, "server/tool"
//	cwd, project               paths, as below
//	arg = { a.b = "…" }        an argument of the tool
//	effect, verb, where        see Kinds and Places
//	flags, not_flags           one of these is there ("recursive+glob": both); none of these is
//	command                    "git push": the program's name and the words after it that are no options
//	argv                       each pattern must match one of the arguments
//	path                       * stops at a slash, ** does not; ~ and {project} are resolved; "a/b" is below the project, "*.pem" any
//	                           file's name; a directory that is deleted as a whole has what it holds
//	url                        a URL, or without a slash its host
//
// # Who decides
//
// The strictest of all that match. An allow takes back what it matches (an effect; a command with its effects but for what the
// shell's redirections write; the call) from rules after it in the same file and from weaker layers: the organisation's, the user's,
// the project's, the packs. A rewrite does so too, if the call is rewritten in the end. The project's file has neither. What
// protects boathook itself is the organisation's alone to take back.
//
// An allow never rests on a guess: it counts where it surely matches, never for what a symbolic link leads to, and not for a directory
// that holds what it excepts. Where only a run would tell whether a rule matches, its fail says what to do; a call that is too large to
// be compared to its end is asked.
package policy
