module github.com/boathook/boathook

go 1.26
