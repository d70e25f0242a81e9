package conform

import (
	"fmt"
	"slices"

	"github.com/boathook/boathook/itest/mockmodel"
)

// The plays of the suite. A call's id is the name of what it makes; the judge goes by the words in it.
const (
	// calm is what nobody objects to: a command that makes a file, two at once, one that fails.
	calm = "calm"
	// bare are calls for which the user is asked, and says no: one that nobody objects to, one to be rewritten, one that a hook
	// refuses where permission is asked for.
	bare = "bare"
	// strict are calls that the judge has something to say about.
	strict = "strict"
	// each of deny, ask and rewrite alone, for agents that end the run then.
	one = "one-"
	// forced is what the example of a hook denies.
	forced = "forced"
	// child has a subagent do what is denied.
	child, childWork = "child", "child-work"
)

// Words that the model says at the end of a play; at Nearly the judge wants it to go on.
const (
	nearly = "Nearly done."
	done   = "All done."
)

// touch makes a file whose name is the call's, with a text in it.
func (l *Lab) touch(name string) mockmodel.Call {
	c := l.Agent.Shell(l, fmt.Sprintf("echo made > %s; echo %s-ran", name, name))
	c.ID = callID(name)
	return c
}

func callID(name string) string { return "call_" + name }

func (l *Lab) plays() mockmodel.Plays {
	fail := l.Agent.Shell(l, "echo oops-context-me; exit 3")
	if l.Agent.Fail != nil {
		fail = l.Agent.Fail(l)
	}
	fail.ID = callID("fail")
	ending := mockmodel.Script{mockmodel.Say(nearly), mockmodel.Say(done)}
	plays := mockmodel.Plays{
		calm: {
			mockmodel.Use(l.touch("plain")), mockmodel.Use(l.touch("twin-a"), l.touch("twin-b")), mockmodel.Use(fail),
			mockmodel.Say(done),
		},
		bare: {
			mockmodel.Use(l.touch("plain")), mockmodel.Use(l.touch("rewrite-me")), mockmodel.Use(l.touch("refuse-me")),
			mockmodel.Say(done),
		},
		strict: append(mockmodel.Script{
			mockmodel.Use(l.touch("context-me")), mockmodel.Use(fail), mockmodel.Use(l.touch("deny-me"), l.touch("beside")),
			mockmodel.Use(l.touch("ask-me")), mockmodel.Use(l.touch("rewrite-me")), mockmodel.Use(l.touch("last")),
		}, ending...),
	}
	if l.Agent.DenyEnds {
		plays[strict] = append(mockmodel.Script{mockmodel.Use(l.touch("context-me")), mockmodel.Use(fail)}, ending...)
	}
	for _, name := range []string{"deny-me", "ask-me", "rewrite-me"} {
		plays[one+name] = mockmodel.Script{mockmodel.Use(l.touch(name)), mockmodel.Say(done)}
	}
	push := l.Agent.Shell(l, "echo git push --force > pushed; echo pushed-ran")
	push.ID = callID("pushed")
	plays[forced] = mockmodel.Script{mockmodel.Use(push), mockmodel.Say(done)}
	if l.Agent.Subagent != nil {
		c := l.Agent.Subagent(l, mockmodel.Prompt(childWork, "do it"))
		c.ID = callID("child")
		plays[child] = mockmodel.Script{mockmodel.Use(c), mockmodel.Say(done)}
		if wait := l.Agent.Await; wait != nil {
			plays[child] = slices.Insert(plays[child], 1, mockmodel.Use(*wait))
		}
		plays[childWork] = mockmodel.Script{mockmodel.Use(l.touch("child-deny-me")), mockmodel.Say(nearly), mockmodel.Say(done)}
	}
	return plays
}
