module github.com/boathook/boathook/itest

go 1.26.0

ignore node_modules

require github.com/creack/pty v1.1.24

require github.com/google/go-cmp v0.7.0

require google.golang.org/protobuf v1.36.10
