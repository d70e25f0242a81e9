package wincmd

import "strings"

// cmdlet is the documented name of a cmdlet or an alias; what is neither stays.
func cmdlet(name string) string {
	low := strings.ToLower(name)
	low = strings.TrimPrefix(low, `microsoft.powershell.management\`)
	low = strings.TrimPrefix(low, `microsoft.powershell.utility\`)
	if n := files(low); n != "" {
		return n
	}
	if n := others(low); n != "" {
		return n
	}
	// Any cmdlet's name is Verb-Noun in no certain case.
	if verb, noun, ok := strings.Cut(low, "-"); ok && verb != "" && noun != "" && !strings.ContainsAny(low, `./\ `) && documentedVerb(verb) {
		if n := known(low); n != "" {
			return n
		}
	}
	return name
}

// files are the cmdlets for files and their aliases.
func files(low string) string {
	switch low {
	case "remove-item", "ri", "rm", "rmdir", "del", "erase", "rd":
		return "Remove-Item"
	case "get-childitem", "gci", "ls", "dir":
		return "Get-ChildItem"
	case "get-item", "gi":
		return "Get-Item"
	case "get-content", "gc", "cat", "type":
		return "Get-Content"
	case "set-content", "sc":
		return "Set-Content"
	case "add-content", "ac":
		return "Add-Content"
	case "clear-content", "clc":
		return "Clear-Content"
	case "clear-item", "cli":
		return "Clear-Item"
	case "move-item", "mi", "mv", "move":
		return "Move-Item"
	case "copy-item", "cpi", "cp", "copy":
		return "Copy-Item"
	case "rename-item", "rni", "ren":
		return "Rename-Item"
	case "new-item", "ni":
		return "New-Item"
	case "set-location", "sl", "cd", "chdir":
		return "Set-Location"
	case "push-location", "pushd":
		return "Push-Location"
	case "pop-location", "popd":
		return "Pop-Location"
	case "out-file":
		return "Out-File"
	case "tee-object", "tee":
		return "Tee-Object"
	case "set-item", "si":
		return "Set-Item"
	case "set-itemproperty", "sp":
		return "Set-ItemProperty"
	case "remove-itemproperty", "rp":
		return "Remove-ItemProperty"
	case "resolve-path", "rvpa":
		return "Resolve-Path"
	}
	return ""
}

// others are cmdlets for other things, with their aliases.
func others(low string) string {
	switch low {
	case "invoke-expression", "iex":
		return "Invoke-Expression"
	case "invoke-command", "icm":
		return "Invoke-Command"
	case "invoke-webrequest", "iwr", "curl", "wget":
		return "Invoke-WebRequest"
	case "invoke-restmethod", "irm":
		return "Invoke-RestMethod"
	case "start-process", "saps", "start":
		return "Start-Process"
	case "stop-process", "spps", "kill":
		return "Stop-Process"
	case "foreach-object", "%":
		return "ForEach-Object"
	case "where-object", "?", "where":
		return "Where-Object"
	case "select-object", "select":
		return "Select-Object"
	case "sort-object", "sort":
		return "Sort-Object"
	case "write-output", "echo", "write":
		return "Write-Output"
	case "write-host":
		return "Write-Host"
	case "new-object":
		return "New-Object"
	case "start-job", "sajb":
		return "Start-Job"
	case "set-alias", "sal", "new-alias", "nal":
		return "Set-Alias"
	case "get-location", "gl", "pwd":
		return "Get-Location"
	case "join-path":
		return "Join-Path"
	case "out-null", "out-string", "out-default":
		return map3(low)
	}
	return ""
}

// map3 is the documented case of Out-….
func map3(low string) string { return "Out-" + strings.ToUpper(low[4:5]) + low[5:] }

// known are further cmdlets that destroy or weaken something.
func known(low string) string {
	switch low {
	case "format-volume":
		return "Format-Volume"
	case "clear-disk":
		return "Clear-Disk"
	case "initialize-disk":
		return "Initialize-Disk"
	case "remove-partition":
		return "Remove-Partition"
	case "clear-recyclebin":
		return "Clear-RecycleBin"
	case "stop-computer":
		return "Stop-Computer"
	case "restart-computer":
		return "Restart-Computer"
	case "set-executionpolicy":
		return "Set-ExecutionPolicy"
	case "set-mppreference":
		return "Set-MpPreference"
	case "add-mppreference":
		return "Add-MpPreference"
	case "set-netfirewallprofile":
		return "Set-NetFirewallProfile"
	case "set-acl":
		return "Set-Acl"
	case "stop-service":
		return "Stop-Service"
	case "set-service":
		return "Set-Service"
	case "remove-service":
		return "Remove-Service"
	case "register-scheduledtask":
		return "Register-ScheduledTask"
	case "unregister-scheduledtask":
		return "Unregister-ScheduledTask"
	case "new-service":
		return "New-Service"
	case "clear-eventlog":
		return "Clear-EventLog"
	case "remove-eventlog":
		return "Remove-EventLog"
	case "disable-computerrestore":
		return "Disable-ComputerRestore"
	case "uninstall-package":
		return "Uninstall-Package"
	case "install-module":
		return "Install-Module"
	case "install-package":
		return "Install-Package"
	case "start-bitstransfer":
		return "Start-BitsTransfer"
	case "remove-localuser":
		return "Remove-LocalUser"
	case "new-localuser":
		return "New-LocalUser"
	case "add-localgroupmember":
		return "Add-LocalGroupMember"
	case "remove-vm":
		return "Remove-VM"
	case "remove-adobject":
		return "Remove-ADObject"
	case "remove-aduser":
		return "Remove-ADUser"
	case "remove-azresourcegroup":
		return "Remove-AzResourceGroup"
	case "invoke-sqlcmd":
		return "Invoke-Sqlcmd"
	case "invoke-wmimethod":
		return "Invoke-WmiMethod"
	case "invoke-item":
		return "Invoke-Item"
	case "import-module":
		return "Import-Module"
	case "send-mailmessage":
		return "Send-MailMessage"
	}
	return ""
}

// documentedVerb tells whether a word can be a cmdlet's verb: letters only.
func documentedVerb(s string) bool {
	for i := range len(s) {
		if s[i] < 'a' || s[i] > 'z' {
			return false
		}
	}
	return true
}

// parameter is the full name of a parameter of a cmdlet, by any beginning that names one; what is none stays.
func parameter(name, p string) string {
	low := strings.ToLower(p)
	list := "Recurse Force Path LiteralPath Filter Include Exclude Confirm WhatIf Destination Value Name ErrorAction Verbose"
	switch name {
	case "Invoke-WebRequest", "Invoke-RestMethod":
		list = "Uri Method Body InFile OutFile Headers ContentType Credential UseBasicParsing UserAgent ErrorAction Form"
	case "Start-Process":
		list = "FilePath ArgumentList Verb WorkingDirectory Wait WindowStyle NoNewWindow PassThru Credential"
	case "Invoke-Command":
		list = "ScriptBlock ComputerName Session FilePath ArgumentList Credential HostName"
	case "Stop-Process":
		list = "Id Name Force InputObject PassThru Confirm WhatIf"
	case "Invoke-Expression":
		list = "Command"
	case "Set-Content", "Add-Content", "Out-File", "Tee-Object":
		list = "Path FilePath LiteralPath Value Append Force Encoding NoNewline InputObject NoClobber Filter Include Exclude"
	case "New-Item":
		list = "Path Name ItemType Value Force Target"
	case "Stop-Computer", "Restart-Computer":
		list = "Force ComputerName Confirm"
	}
	best := ""
	for n := range strings.FieldsSeq(list) {
		l := strings.ToLower(n)
		if l == low {
			return n
		}
		if best == "" && strings.HasPrefix(l, low) {
			best = n
		}
	}
	if best != "" && low != "" {
		return best
	}
	return p
}
