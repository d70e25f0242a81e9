// Command boathook is called by coding agents' hooks; see README.md.
package main

func main() {}
