package effect_test

import (
	"testing"

	"github.com/boathook/boathook/internal/effect/place"
)

func windows() *place.Machine {
	return &place.Machine{OS: "windows", Home: `C:\Users\dev`, Dir: `C:\Users\dev\shop`, Project: `C:\Users\dev\shop`}
}

func TestPowerShell(t *testing.T) {
	check(t, "powershell", windows(), []expect{
		one(`Remove-Item -Recurse -Force C:\`, "delete C:/ root recursive+forced"),
		one(`Remove-Item -Path C:\Users\dev\Documents -Recurse`, "delete C:/Users/dev/Documents user recursive"),
		one(`rm -r -fo ..\shop2`, "delete C:/Users/dev/shop2 user recursive+forced"),
		one(`ri src -rec`, "delete C:/Users/dev/shop/src inside recursive"),
		one(`Remove-Item $env:USERPROFILE -Recurse`, "delete C:/Users/dev home recursive"),
		one(`Remove-Item a.txt, b.txt`, "delete C:/Users/dev/shop/b.txt inside"),
		one(`Set-Content -Path C:\Windows\x -Value y`, "overwrite C:/Windows/x system"),
		one(`"x" | Out-File C:\Windows\x`, "overwrite C:/Windows/x system"),
		one(`Move-Item C:\Users\dev\x C:\Temp\y`, "move C:/Users/dev/x user recursive"),
		one(`Copy-Item a -Destination C:\Windows\System32\`, "overwrite C:/Windows/System32 system"),
		one(`Format-Volume -DriveLetter D`, "device format -DriveLetter D"),
		one(`Clear-Disk -Number 0 -RemoveData`, "device format -Number 0 -RemoveData"),
		one(`Stop-Computer -Force`, "kill shutdown stop-computer"),
		one(`Stop-Process -Name claude`, "tamper_agent process claude"),
		one(`Set-ExecutionPolicy Bypass`, "security execution-policy Bypass"),
		one(`Set-MpPreference -DisableRealtimeMonitoring $true`, "security antivirus -DisableRealtimeMonitoring $true"),
		one(`Set-Content $HOME\.claude\settings.json '{}'`, "tamper_agent settings C:/Users/dev/.claude/settings.json user"),
		one(`Remove-Item -Recurse C:\Users\dev\.CLAUDE`, "tamper_agent settings C:/Users/dev/.CLAUDE user"),
		one(`boathook.exe off`, "tamper_guard off off"),
		one(`Register-ScheduledTask -TaskName x`, "persist scheduled-task -TaskName x"),
		none(`Get-ChildItem -Recurse`), none(`Remove-Item -WhatIf -Recurse C:\`), none(`Get-Content $HOME\.claude\settings.json`),
	})
}

func TestCmd(t *testing.T) {
	check(t, "cmd", windows(), []expect{
		one(`del /s /q C:\Users\dev\Documents`, "delete C:/Users/dev/Documents user recursive+forced"),
		one(`rd /s /q ..\shop2`, "delete C:/Users/dev/shop2 user recursive+forced"),
		one(`rmdir /s /q C:\`, "delete C:/ root recursive+forced"),
		one(`del a.txt`, "delete C:/Users/dev/shop/a.txt inside"),
		one(`format D: /q`, "device format D:"),
		one(`move a C:\Windows\b`, "overwrite C:/Windows/b system"),
		one(`robocopy a C:\x /MIR`, "delete sync C:/x/* elsewhere recursive+glob+all"),
		one(`reg delete HKLM\Software /f`, `security registry-delete HKLM\Software`),
		one(`reg add HKCU\Software\Microsoft\Windows\CurrentVersion\Run /v x /d y`, `persist registry-run HKCU\Software\Microsoft\Windows\CurrentVersion\Run`),
		one(`vssadmin delete shadows /all`, "security backup delete shadows /all"),
		one(`shutdown /s /t 0`, "kill shutdown shutdown"),
		one(`schtasks /create /tn x /tr y`, "persist scheduled-task /create /tn x /tr y"),
		one(`icacls C:\ /grant Everyone:F /t`, "chmod icacls C:/ root recursive"),
		one(`takeown /f C:\Windows /r`, "chown takeown C:/Windows system recursive"),
		one(`taskkill /f /im claude.exe`, "tamper_agent process claude.exe"),
		one(`echo x > %USERPROFILE%\.claude\settings.json`, "tamper_agent settings C:/Users/dev/.claude/settings.json user redirect"),
		none(`dir /s`), none(`type a.txt`), none(`shutdown /a`), none(`echo x > nul`),
	})
}
