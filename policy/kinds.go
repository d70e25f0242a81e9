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

// FlagDoc is a flag of effects and what it means, for people.
type FlagDoc struct {
	Name, Doc string
}

var flags = [...]FlagDoc{
	{"recursive", "with all that a directory holds"},
	{"forced", "without a question: -f"},
	{"glob", "the target is a pattern"},
	{"all", "the pattern is everything that a directory holds"},
	{"dynamic", "the target is not known"},
	{"missing", "nothing is there"},
	{"regenerable", "tools make it anew: node_modules, dist, caches"},
	{"ignored", "git ignores it"},
	{"link", "it is reached through a symbolic link"},
	{"redirect", "the shell opens the file, by > or >>"},
	{"maybe", "it need not happen: a branch, a loop"},
	{"sudo", "with another account's rights"},
	{"remote", "on another machine or in a container"},
	{"container", "in a container"},
	{"local", "of this machine, or of a stage for tests"},
	{"private", "in a private network"},
	{"production", "what it is aimed at looks like production"},
	{"localhost", "a server on this machine"},
	{"secret", "what is sent holds a secret"},
	{"env", "what is sent holds the environment"},
	{"file", "what is sent, or installed, is a file"},
	{"stdin", "what is sent comes from a pipe"},
	{"literal", "what is sent stands in the command"},
	{"computed", "what is sent is computed"},
	{"copied", "the secret is copied, not shown"},
	{"sourced", "the secret is read by the shell"},
	{"saved", "what is fetched goes into a file"},
	{"header", "the secret is a header"},
	{"dynamic-url", "the address is not known"},
	{"remote-forward", "a port there leads here"},
	{"url", "the package comes from a URL or a repository"},
	{"registry", "the package comes from a registry of its own"},
	{"system", "the system's package manager"},
	{"global", "for the user or the machine"},
	{"ignore-scripts", "without the packages' scripts"},
	{"unauthenticated", "without signatures"},
	{"critical", "a package that the machine needs"},
	{"host-root", "the container gets the machine's root"},
	{"host-directory", "the container gets one of the machine's own directories"},
	{"host-pid", "the container sees the machine's processes"},
	{"privileged", "the container has all rights"},
	{"capability", "the container gets a right that leads out of it"},
	{"device", "the container gets a disk"},
	{"daemon-socket", "the container gets the socket of the daemon that started it"},
	{"unknown-host", "the host is not known"},
}

// FlagDocs are all flags of effects.
func FlagDocs() []FlagDoc { return append([]FlagDoc(nil), flags[:]...) }
