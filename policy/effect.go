package policy

// Kind is what a command or a tool does to the world.
type Kind string

// The kinds of effects. Effect.Verb says more.
const (
	Delete      Kind = "delete"       // files or directories
	Overwrite   Kind = "overwrite"    // the content of a file that may exist: > f, cp, dd of=, tee, a write tool
	Write       Kind = "write"        // a new or a longer file: >> f, touch, mkdir, an edit tool
	Move        Kind = "move"         // away from a path
	Chmod       Kind = "chmod"        // modes, ACLs, attributes
	Chown       Kind = "chown"        // owner or group
	Device      Kind = "device"       // a block device or partition table is written
	Kill        Kind = "kill"         // processes; shutdown and reboot too
	ForkBomb    Kind = "fork_bomb"    //
	Read        Kind = "read"         // a path
	ReadSecret  Kind = "read_secret"  // keys, credentials, browser stores, .env, keychains, environments of processes
	Send        Kind = "send"         // data to the network; Target is the host or URL
	Fetch       Kind = "fetch"        // data from the network
	DownloadRun Kind = "download_run" // code from the network is run at once
	Listen      Kind = "listen"       // a port is opened, a reverse shell or a tunnel
	Install     Kind = "install"      // packages, which may run scripts
	GitLoss     Kind = "git_loss"     // work or history that git cannot give back
	GitRemote   Kind = "git_remote"   // history on a remote is rewritten or deleted
	Database    Kind = "database"     // drop, truncate, unbounded delete
	Cloud       Kind = "cloud"        // teardown of cloud or cluster resources, containers, volumes
	Security    Kind = "security"     // a protection is switched off
	Persist     Kind = "persist"      // something that runs later: cron, rc files, units, git hooks, authorized_keys
	Privilege   Kind = "privilege"    // sudo, setuid, sudoers, group membership
	TamperAgent Kind = "tamper_agent" // the agents' own configuration of hooks and permissions
	TamperGuard Kind = "tamper_guard" // boathook's configuration, policy, data, program, or its commands
	Dynamic     Kind = "dynamic"      // what only a run would tell; Verb is command, code, parse or limit
)

// Where is the place of a path.
type Where string

// The places, from the project outwards.
const (
	Inside    Where = "inside"    // below the project's root
	Project   Where = "project"   // the project's root itself
	VCS       Where = "vcs"       // the project's .git or its like
	Temp      Where = "temp"      // below a temporary directory
	User      Where = "user"      // below the home, outside the project
	Home      Where = "home"      // the home itself, what holds it, another user's home
	System    Where = "system"    // the machine's own directories and what is below them
	Root      Where = "root"      // /, or a drive's root
	Elsewhere Where = "elsewhere" // any other absolute path: mounts, /data
	Nowhere   Where = "unknown"   // a path that is not known
)

// Effect is one thing that a call does.
type Effect struct {
	Kind Kind `json:"kind"`
	// Verb says which: reset-hard, push-force, drop-table, terraform-destroy, env-file, ssh-key. docs/policy.md lists them.
	Verb string `json:"verb,omitempty"`
	// Target is an absolute path, a host or URL, a package, a table, a resource; as far as known.
	Target string `json:"target,omitempty"`
	Where  Where  `json:"where,omitempty"`
	// Flags of paths: recursive, forced, glob, all, dynamic (the target is not known), missing (nothing is there), regenerable
	// (node_modules, dist, caches), ignored (by git), link (reached through a symbolic link), redirect (the shell opens the file).
	// Of all: remote (on another machine or in a container), container, sudo, maybe. FlagDocs has them all.
	Flags []string `json:"flags,omitempty"`
	// Command is the place in Call.Commands, -1 for a tool's own effect.
	Command int `json:"command"`
}
