package shellcmd

// lang is how a shell differs from bash.
type lang struct {
	zsh, posix bool
	// unnamed says that the text does not tell which shell it is for.
	unnamed bool
	// split is zsh's shwordsplit.
	split bool
}

func langOf(name string) lang {
	switch name {
	case "zsh":
		return lang{zsh: true}
	case "dash", "ash", "posix":
		return lang{posix: true}
	case "":
		return lang{unnamed: true}
	}
	return lang{}
}

// noSplit says that what an expansion gives stays one word.
func (l lang) noSplit() bool { return l.zsh && !l.split }
