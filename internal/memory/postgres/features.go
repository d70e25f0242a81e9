package postgres

// features are what the database can do, looked up once.
type features struct {
	tenant string
}
