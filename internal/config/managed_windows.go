package config

// ManagedPath is empty: managed settings are not supported on Windows yet.
func ManagedPath() string { return "" }

func rootOnly(string) (bool, string) { return false, "" }
