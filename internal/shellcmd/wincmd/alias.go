package wincmd

import "strings"

// cmdlet is the documented name of a cmdlet or an alias; what is neither stays.
func cmdlet(name string) string {
	low := strings.ToLower(name)
	low = strings.TrimPrefix(low, `microsoft.powershell.management\`)
	low = strings.TrimPrefix(low, `microsoft.powershell.utility\`)
	for _, row := range aliases() {
		full, rest, _ := strings.Cut(row, " ")
		if strings.EqualFold(full, low) {
			return full
		}
		for a := range strings.FieldsSeq(rest) {
			if a == low {
				return full
			}
		}
	}
	for full := range strings.FieldsSeq(plain()) {
		if strings.EqualFold(full, low) {
			return full
		}
	}
	return name
}

// aliases are cmdlets, each with its aliases.
func aliases() []string {
	return []string{
		"Remove-Item ri rm rmdir del erase rd",
		"Get-ChildItem gci ls dir",
		"Get-Item gi",
		"Get-Content gc cat type",
		"Set-Content sc",
		"Add-Content ac",
		"Clear-Content clc",
		"Clear-Item cli",
		"Move-Item mi mv move",
		"Copy-Item cpi cp copy",
		"Rename-Item rni ren",
		"New-Item ni",
		"Set-Location sl cd chdir",
		"Push-Location pushd",
		"Pop-Location popd",
		"Tee-Object tee",
		"Set-Item si",
		"Set-ItemProperty sp",
		"Remove-ItemProperty rp",
		"Resolve-Path rvpa",
		"Invoke-Expression iex",
		"Invoke-Command icm",
		"Invoke-WebRequest iwr curl wget",
		"Invoke-RestMethod irm",
		"Start-Process saps start",
		"Stop-Process spps kill",
		"ForEach-Object %",
		"Where-Object ? where",
		"Select-Object select",
		"Sort-Object sort",
		"Write-Output echo write",
		"Start-Job sajb",
		"Set-Alias sal new-alias nal",
		"Get-Location gl pwd",
	}
}

// plain are cmdlets without aliases whose case alone is to be mended.
func plain() string {
	return "Out-File Write-Host New-Object Join-Path Out-Null Out-String " +
		"Out-Default Format-Volume Clear-Disk Initialize-Disk Remove-Partition Clear-RecycleBin " +
		"Stop-Computer Restart-Computer Set-ExecutionPolicy Set-MpPreference Add-MpPreference Set-NetFirewallProfile " +
		"Set-Acl Stop-Service Set-Service Remove-Service Register-ScheduledTask Unregister-ScheduledTask " +
		"New-Service Clear-EventLog Remove-EventLog Disable-ComputerRestore Uninstall-Package Install-Module " +
		"Install-Package Start-BitsTransfer Remove-LocalUser New-LocalUser Add-LocalGroupMember Remove-VM " +
		"Remove-ADObject Remove-ADUser Remove-AzResourceGroup Invoke-Sqlcmd Invoke-WmiMethod Invoke-Item " +
		"Import-Module Send-MailMessage "
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
