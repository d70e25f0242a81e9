package effect

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// disks notes what is done to disks, partitions and volumes, and tells whether this is a program for them.
func (s *sheet) disks(name string, args []word.Arg) bool {
	if strings.HasPrefix(name, "mkfs") || strings.HasPrefix(name, "newfs") || strings.HasPrefix(name, "mke2fs") {
		s.format(args)
		return true
	}
	verb := ""
	switch name {
	case "mkswap", "mkdosfs", "mkntfs", "wipefs", "blkdiscard", "sgdisk", "sfdisk", "fdisk", "gdisk", "cfdisk", "parted", "pvremove", "badblocks",
		"nwipe", "hdparm", "nvme", "cryptsetup", "mdadm", "dmsetup", "lvremove", "vgremove", "lvreduce", "pvcreate", "zpool", "zfs", "btrfs",
		"diskutil", "diskpart", "asr", "gpart", "flashcp", "flashrom", "fwupdmgr", "efibootmgr", "grub-install", "tune2fs", "resize2fs", "losetup":
		verb = tears(name, args)
	default:
		return false
	}
	if verb != "" {
		s.add(policy.Device, verb, target(args))
	}
	return true
}

// format notes a new file system, on a device; one in a file overwrites that.
func (s *sheet) format(args []word.Arg) {
	for _, a := range args {
		if a.Text == "-n" || a.Text == "-N" && len(args) == 1 {
			return
		}
	}
	for _, a := range args {
		if strings.HasPrefix(a.Text, "-") || !strings.Contains(a.Text, "/") && !image(a.Text) {
			continue
		}
		if place.Device(a.Text) {
			s.add(policy.Device, "format", a.Text)
			return
		}
		if strings.Contains(a.Text, ".") {
			s.path(a, change{kind: policy.Overwrite, verb: "format"})
			return
		}
	}
	s.add(policy.Device, "format", target(args))
}

// image tells the names of files that hold a disk.
func image(name string) bool {
	for _, ext := range [...]string{".img", ".raw", ".iso", ".fs", ".ext2", ".ext3", ".ext4", ".fat", ".qcow2", ".bin"} {
		if strings.HasSuffix(name, ext) {
			return true
		}
	}
	return false
}

// tears is what a program for disks destroys by these arguments; empty where it only looks.
func tears(name string, args []word.Arg) string {
	for _, t := range tearing {
		if t.program != name {
			continue
		}
		if t.words == "" {
			return t.verb
		}
		for w := range strings.FieldsSeq(t.words) {
			if hasWord(args, w) {
				return t.verb
			}
		}
	}
	return ""
}

// hasWord tells whether an argument is a word, or begins with it where that ends in =.
func hasWord(args []word.Arg, w string) bool {
	for _, a := range args {
		if strings.EqualFold(a.Text, w) || strings.HasSuffix(w, "*") && len(a.Text) >= len(w)-1 && strings.EqualFold(a.Text[:len(w)-1], w[:len(w)-1]) {
			return true
		}
	}
	return false
}

// target is the device that arguments name, else their last.
func target(args []word.Arg) string {
	for _, a := range args {
		if place.Device(a.Text) {
			return a.Text
		}
	}
	if n := len(args); n > 0 && !strings.HasPrefix(args[n-1].Text, "-") {
		return args[n-1].Text
	}
	return ""
}

// tearing are the words by which programs for disks destroy something; no words mean that they always do.
var tearing = [...]struct{ program, words, verb string }{
	{"mkswap", "/dev/*", "format"}, {"mkdosfs", "", "format"}, {"mkntfs", "", "format"}, {"wipefs", "-a --all -o -af -fa --offset*", "wipe"}, {"blkdiscard", "", "wipe"},
	{"nwipe", "", "wipe"}, {"badblocks", "-w -wsv -sw -n -wv -svw", "wipe"},
	{"sgdisk", "-Z --zap-all -z --zap -o --clear -d* --delete* -n* --new*", "partition"},
	{"sfdisk", "/dev/* --delete --wipe*", "partition"}, {"fdisk", "/dev/*", "partition"}, {"gdisk", "/dev/*", "partition"},
	{"cfdisk", "/dev/*", "partition"}, {"gpart", "delete destroy create", "partition"},
	{"parted", "mklabel mktable rm mkpart resizepart", "partition"}, {"diskpart", "", "partition"},
	{"pvremove", "", "volume"}, {"lvremove", "", "volume"}, {"vgremove", "", "volume"}, {"lvreduce", "", "volume"}, {"pvcreate", "", "volume"},
	{"hdparm", "--security-erase* --security-erase-enhanced --trim-sector-ranges --write-sector --make-bad-sector", "wipe"},
	{"nvme", "format sanitize write-zeroes delete-ns", "wipe"},
	{"cryptsetup", "luksFormat luksErase erase luksKillSlot luksRemoveKey reencrypt", "encrypt"},
	{"mdadm", "--zero-superblock --stop -S --remove --fail -f --create -C", "array"}, {"dmsetup", "remove remove_all wipe_table", "volume"},
	{"zpool", "destroy labelclear", "volume"}, {"zfs", "destroy rollback", "volume"},
	{"btrfs", "delete", "volume"},
	{"diskutil", "eraseDisk eraseVolume secureErase zeroDisk randomDisk partitionDisk reformat eraseall deleteVolume deleteContainer eraseOptical apfs*", "format"},
	{"asr", "--erase -erase", "format"}, {"flashcp", "", "firmware"}, {"flashrom", "-w --write -E --erase", "firmware"},
	{"efibootmgr", "-B --delete-bootnum -O", "boot"}, {"grub-install", "", "boot"},
}
