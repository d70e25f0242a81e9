package terms

import (
	"strings"
	"testing"
)

// TestStem holds the stemmer against what the algorithm's publication says of these words.
func TestStem(t *testing.T) {
	words := strings.Fields(`
consign consign consigned consign consigning consign consignment consign consist consist consisted consist consistency consist
consistent consist consistently consist consisting consist consists consist consolation consol consolations consol consolatory consolatori
console consol consoled consol consoles consol consolidate consolid consolidated consolid consolidating consolid consoling consol
consolingly consol consols consol consonant conson consort consort consorted consort consorting consort conspicuous conspicu
conspicuously conspicu conspiracy conspiraci conspirator conspir conspirators conspir conspire conspir constable constabl constance constanc
constancy constanc constant constant knack knack knackeries knackeri knacks knack knag knag knave knave knaves knave knavish knavish
kneaded knead kneading knead knee knee kneel kneel kneeled kneel kneeling kneel kneels kneel knees knee knell knell knelt knelt knew knew
knick knick knif knif knife knife knight knight knightly knight knights knight knit knit knits knit knitted knit knitting knit knives knive
knob knob knobs knob knock knock knocked knock knocker knocker knockers knocker knocking knock knocks knock knopp knopp knot knot knots knot
skis ski skies sky dying die news news inning inning innings inning proceeding proceed generate generat generously generous communism communism
arsenal arsenal gas gas this this gaps gap kiwis kiwi ties tie cries cri by by say say cry cri hoping hope hopped hop luxuriated luxuri
relational relat conditional condit rational ration valency valenc analogously analog hopefully hope goodness good triplicate triplic
electricity electr adjustable adjust adoption adopt probate probat controlling control rolled roll falling fall youth youth boy boy
boyish boyish sayings say`)
	for n := 0; n+1 < len(words); n += 2 {
		if got := string(stem([]byte(words[n]))); got != words[n+1] {
			t.Errorf("%s: %s, want %s", words[n], got, words[n+1])
		}
	}
}

func BenchmarkOf(b *testing.B) {
	text := strings.Repeat("The deployment of orders-api failed: ECONNREFUSED 10.0.0.5:5432 in internal/db/pool.go:118. "+
		"배포가 실패해서 커넥션 풀을 재시작했다. retryWithBackoff was called 3 times\n", 20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if len(Of(text)) == 0 {
			b.Fatal("no terms")
		}
	}
}

func BenchmarkQuery(b *testing.B) {
	const text = "지난번에 orders-api 배포가 ECONNREFUSED로 실패했을 때 어떻게 해결했지? how did we fix the pool?"
	for b.Loop() {
		if len(Query(text)) == 0 {
			b.Fatal("no terms")
		}
	}
}
