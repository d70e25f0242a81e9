package redact

// pairedSecret looks for the secret that belongs to an access key id just seen:
// exports and tables print the two side by side.
func (sc *scanner) pairedSecret(from int) {
	const reach, size = 160, 40
	set := sets().base64
	for i := from; i < len(sc.s) && i < from+reach; {
		if !set[sc.s[i]] || sc.s[i] == '=' {
			i++
			continue
		}
		end := set.run(sc.s, i)
		if end-i == size && awsSecret(sc.s[i:end]) {
			sc.hits = append(sc.hits, span{i, end, "aws_secret_key"})
			sc.done = max(sc.done, end)
			return
		}
		i = end
	}
}

func awsSecret(v string) bool {
	k := kindsOf(v)
	return k.lower && k.upper && (k.digit || k.other)
}

// azureAt matches an Entra client secret by its fixed "nQ~" in fourth place.
func (sc *scanner) azureAt(i int) span {
	s, set := sc.s, sets()
	sc.steps += judgeSteps
	start := i - 5
	if start < sc.done || s[i-1] != 'Q' || !isDigit(s[i-2]) {
		return span{}
	}
	body := set.bearer
	for j := start; j < i; j++ {
		if !body[s[j]] {
			return span{}
		}
	}
	end := i + 1
	for end < len(s) && end-i < 40 && (set.dotted[s[end]] || s[end] == '~') {
		end++
	}
	if n := end - i - 1; n < 30 || n > 36 || start > sc.done && isAlnum(s[start-1]) && s[start-1] != 'n' {
		return span{}
	}
	return span{start, end, "azure_client_secret"}
}
