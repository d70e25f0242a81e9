package shellcmd

import (
	"strings"
	"testing"
)

const short = `cd /home/dev/shop && export NODE_ENV=test && npm run build -- --mode=production 2>&1 | tee /tmp/build.log | tail -n 40; for f in src/*.ts; do grep -n "TODO" "$f" || true; done; git status --short | head`

func BenchmarkShort(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Parse(short, Options{Dir: "/home/dev/shop", Home: "/home/dev"})
	}
}

// everydayScript is about 10 KB of an everyday kind.
func everydayScript() string {
	part := `set -euo pipefail
# Builds and ships one service.
name=${1:-web}
out="dist/$name"
if [ ! -d "$out" ]; then
  mkdir -p "$out"
fi
for f in src/a.ts src/b.ts src/c.ts; do
  echo "compiling $f" >&2
  npx tsc --outDir "$out" "$f" || { echo "failed: $f"; exit 1; }
done
version=$(git describe --tags --always)
cat > "$out/version.json" <<EOF
{"name": "$name", "version": "$version"}
EOF
case "$name" in
  web) npm run bundle ;;
  api|worker) docker build -t "shop/$name:$version" . ;;
  *) echo "unknown $name"; exit 2 ;;
esac
tar -czf "$out.tgz" -C dist "$name" && rm -rf "$out"
`
	return strings.Repeat(part, 10*1024/len(part)+1)
}

func BenchmarkScript(b *testing.B) {
	s := everydayScript()
	b.ReportAllocs()
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Parse(s, Options{Dir: "/home/dev/shop", Home: "/home/dev"})
	}
}
