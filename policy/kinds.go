package policy

// KindDoc is a kind of effect and what it means, for people.
type KindDoc struct {
	Kind Kind
	Doc  string
}

var kinds = [...]KindDoc{
	{Delete, "files or directories are deleted"},
	{Overwrite, "the content of a file that may exist is replaced"},
	{Write, "a file is made or grows"},
	{Move, "something is moved away from a path"},
	{Chmod, "modes, ACLs or attributes change"},
	{Chown, "owner or group change"},
	{Device, "a block device or a partition table is written"},
	{Kill, "processes end; the machine is shut down"},
	{ForkBomb, "processes multiply without end"},
	{Read, "a path is read"},
	{ReadSecret, "a key, a credential, a .env, a keychain, a process's environment is read"},
	{Send, "data goes to the network"},
	{Fetch, "data comes from the network"},
	{DownloadRun, "code from the network is run at once"},
	{Listen, "a port is opened, a reverse shell, a tunnel"},
	{Install, "packages are installed, which may run scripts"},
	{GitLoss, "work or history is lost that git cannot give back"},
	{GitRemote, "history on a remote is rewritten or deleted"},
	{Database, "tables or rows are dropped, truncated, deleted without a bound"},
	{Cloud, "resources of a cloud, a cluster, containers or volumes are torn down"},
	{Security, "a protection is switched off"},
	{Persist, "something is set up that runs later"},
	{Privilege, "more rights are taken: sudo, setuid, groups"},
	{TamperAgent, "the agents' own configuration of hooks and permissions changes"},
	{TamperGuard, "boathook's configuration, policy, data, program or commands are touched"},
	{Dynamic, "only a run would tell what happens"},
}

var wheres = [...]struct {
	where Where
	doc   string
}{
	{Inside, "below the project's root"},
	{Project, "the project's root itself"},
	{VCS, "the project's .git or its like"},
	{Temp, "below a temporary directory"},
	{User, "below the home, outside the project"},
	{Home, "the home itself, what holds it, another user's home"},
	{System, "the machine's own directories and what is below them"},
	{Root, "/ or a drive's root"},
	{Elsewhere, "any other absolute path: mounts, /data"},
	{Nowhere, "a path that is not known"},
}

// Kinds are all kinds of effects.
func Kinds() []KindDoc { return append([]KindDoc(nil), kinds[:]...) }

// PlaceDoc is a place and what it means, for people.
type PlaceDoc struct {
	Where Where
	Doc   string
}

// Places are all places of paths, from the project outwards.
func Places() []PlaceDoc {
	out := make([]PlaceDoc, 0, len(wheres))
	for _, w := range wheres {
		out = append(out, PlaceDoc{w.where, w.doc})
	}
	return out
}
