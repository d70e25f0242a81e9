package pending

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// System looks processes up in a picture of them all; their command lines are not read.
func System() Look {
	all := map[int]Process{}
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err == nil {
		defer func() { _ = windows.CloseHandle(snapshot) }()
		var e windows.ProcessEntry32
		e.Size = uint32(unsafe.Sizeof(e))
		for err = windows.Process32First(snapshot, &e); err == nil; err = windows.Process32Next(snapshot, &e) {
			pid := int(e.ProcessID)
			all[pid] = Process{PID: pid, Parent: int(e.ParentProcessID), Name: windows.UTF16ToString(e.ExeFile[:])}
		}
	}
	return func(pid int) (Process, bool) {
		p, ok := all[pid]
		return p, ok
	}
}
