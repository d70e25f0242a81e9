package policy

// Starter is a policy to begin with: it says what there is, and changes nothing until something in it is uncommented.
func Starter() string { return starter }

const starter = `# What agents may do, beside the packs of rules that are built in. After each change:
#   boathook policy check                     is it right?
#   boathook policy test                      do the rules' examples come out as they say?
#   boathook policy explain 'rm -rf build'    what would become of a command, and why?
version = 1

# The packs that count. default is what counts without this line; strict and paranoid hold it and more.
packs = ["default"]

# With "shadow", nothing is stopped: what would have been is only noted, in boathook log.
mode = "enforce"

# A rule of a pack can be made weaker or stricter, or be switched off. What protects boathook itself cannot.
# [override.delete-outside]
# action = "deny"         # deny, ask, warn, or off
# [override.git-work-loss]
# mode = "shadow"         # noted, not enforced

# Rules of your own. The strictest that matches decides: deny, ask, rewrite, warn, allow. An allow takes back what rules after it,
# and the packs, say of the same thing.
#
# [[rules]]
# id = "build-may-go"
# action = "allow"
# when = { effect = "delete", path = "{project}/build/**" }
# examples = [
#   { command = "rm -rf build", expect = "allow" },
#   { command = "rm -rf src", expect = "ask" },
# ]
#
# [[rules]]
# id = "no-push-to-main"
# action = "ask"
# reason = "main is released from."
# advice = "Push a branch and open a pull request."
# when = { command = "git push", argv = "re:(^|[:/])main$" }
# examples = [
#   { command = "git push origin main", expect = "ask" },
#   { command = "git push origin feature", expect = "allow" },
# ]
#
# [[rules]]
# id = "migrations-by-hand"
# action = "deny"
# reason = "Migrations that have run are never changed."
# advice = "Write a new one."
# mode = "shadow"
# expires = 2027-12-31
# when = { effect = ["overwrite", "delete"], path = "db/migrations/**" }
#
# [[rules]]
# id = "tickets-read-only"
# action = "ask"
# reason = "This writes into the issue tracker."
# when = { mcp = ["tracker/create_*", "tracker/update_*"] }
`
