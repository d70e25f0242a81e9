package project

// Named is the project that has an id, wherever it is: what an import calls by its name, or a configuration does.
func Named(id string) Project { return Project{Key: key(nil, "id", id), Name: id, ID: id} }
