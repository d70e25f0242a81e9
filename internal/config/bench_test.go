package config

import "testing"

// BenchmarkLoad is what every hook pays: a config with a few settings and an env file. The tables of keys are made once a process,
// and are measured on their own.
func BenchmarkLoad(b *testing.B) {
	home := b.TempDir()
	text := "data_dir = '" + home + "/data'\nenv_files = []\n[guard]\nendpoint = 'http://g'\nfail = 'closed'\n"
	p := place{home: home}
	p.put(b, configFile, text)
	for b.Loop() {
		if s := p.load(true); s.Guard.Endpoint == "" {
			b.Fatal(s.Problems)
		}
	}
}

func BenchmarkIndex(b *testing.B) {
	for b.Loop() {
		if x := newIndex(); len(x.keys) == 0 {
			b.Fatal("no keys")
		}
	}
}
