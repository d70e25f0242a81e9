package policy

import "strings"

// Verbs are what effects of a kind are called in particular, as far as they have names of their own. A name that is not among them
// is no error: a newer version may have it, and download_run's are the programs that run what is downloaded.
func (k Kind) Verbs() []string {
	for i := range verbs {
		if verbs[i].kind == k {
			return strings.Fields(verbs[i].names)
		}
	}
	return nil
}

var verbs = [...]struct {
	kind  Kind
	names string
}{
	{Delete, "find moved recycle-bin rmdir shred sync"},
	{Overwrite, "dd edit extract format into link mount patch truncate"},
	{Write, "append link mkdir mkfifo mknod"},
	{Move, "rename trash"},
	{Chmod, "attrib cacls chattr chflags icacls none setfacl setfattr world-writable xattr"},
	{Chown, "chown chgrp takeown"},
	{Device, "array boot encrypt firmware format partition shred volume wipe write"},
	{Kill, "all init process shutdown user"},
	{ForkBomb, "code function"},
	{ReadSecret, "browser cloud-credentials cloud-metadata cloud-token env-file environment history key-file keychain process-environment " +
		"secret-store ssh-key state-file system token token-file variable wallet"},
	{Send, "bucket delete dns gist git-push mail patch post publish put query rclone release rsync scp sftp share ssh " +
		"tcp upload"},
	{Fetch, "connect get rsync scp sftp tcp"},
	{DownloadRun, "bash code command dash eval file iex invoke-expression ksh lua node perl php powershell pwsh python python3 ruby sh source " +
		"zsh"},
	{Listen, "bind-shell port remote-shell reverse-shell serve tunnel"},
	{Install, "add-repository install remove run upgrade"},
	{GitLoss, "bfg branch-delete-force branch-force checkout-force checkout-index-force checkout-paths clean filter-branch filter-repo gc-prune " +
		"lfs-prune prune read-tree-reset reflog-delete reflog-expire reset-hard reset-merge restore rm-force rollback stash-clear stash-drop strip " +
		"submodule-deinit-force submodule-update-force switch-discard symbolic-ref-delete tag-delete update-clean update-ref-delete worktree-remove-force"},
	{GitRemote, "api-delete codespace-delete gist-delete gpg-key-delete issue-delete mr-delete project-delete push-delete " +
		"push-force push-force-with-lease push-mirror push-prune release-delete remote-remove remote-set-url repo-archive repo-delete " +
		"repo-public ruleset-delete run-delete secret-delete ssh-key-delete svn-delete variable-delete"},
	{Database, "data-loss delete-all drop-bucket drop-catalog drop-cluster drop-collection drop-column drop-database drop-graph drop-keyspace " +
		"drop-logs drop-measurement drop-object drop-owned drop-partition drop-role drop-schema drop-series drop-stream drop-table " +
		"drop-tablespace drop-topic drop-user drop-warehouse flushall flushdb grant-all grant-superuser migrate-down reset " +
		"restore-clean run-program shutdown truncate update-all write-file"},
	{Cloud, "argocd-delete argocd-sync-prune aws-audit-off aws-delete aws-iam-grant aws-open-port aws-s3-mv aws-s3-policy aws-s3-rb aws-s3-rm " +
		"aws-s3-sync-delete aws-stop az-delete az-group-delete az-role-grant bucket-delete cdk-destroy cluster-delete cluster-uninstall compose-down " +
		"compose-down-volumes consul-delete consul-leave docker-prune docker-rm docker-rm-volumes docker-rmi docker-service-rm docker-swarm-leave " +
		"docker-volume-prune docker-volume-rm etcd-delete gcloud-delete gcloud-iam-grant gcloud-storage-rm gsutil-iam gsutil-rb gsutil-rm " +
		"gsutil-rsync-delete helm-rollback helm-uninstall hosting-delete hosting-unset kubectl-apply-prune kubectl-cordon kubectl-delete " +
		"kubectl-delete-crd kubectl-delete-namespace kubectl-delete-node kubectl-delete-pod kubectl-delete-volume kubectl-drain kubectl-grant-admin " +
		"kubectl-replace-force kubectl-scale-zero nomad-purge nomad-stop pulumi-destroy pulumi-stack-rm pulumi-state rclone-delete rclone-sync " +
		"serverless-remove terraform-apply-unasked terraform-destroy terraform-force-unlock terraform-state terraform-taint terraform-workspace-delete " +
		"topic-delete unpublish vault-decrypt vault-delete vault-disable vault-seal vm-delete vm-stop"},
	{Security, "antivirus apparmor audit backup boot disk-encryption execution-policy fail2ban firewall gatekeeper git-hooks-off history logs privacy " +
		"registry-delete secure-boot selinux service sip sshd tls tls-verify-off trust-store uac wipe-free-space"},
	{Persist, "at authorized-keys cron cron-remove forge-key git-alias git-command git-config git-credential-helper git-credentials-plain git-hook " +
		"git-hooks-path init launchd module packages preload python-start registry registry-run scheduled-task service session shell ssh-config " +
		"systemd udev wmi"},
	{Privilege, "accounts container container-escape doas gosu group gsudo kernel namespace pam pkexec polkit run0 runuser setcap setuid su su-exec " +
		"sudo sudoedit sudoers"},
	{TamperAgent, "hooks hooks-off managed permissions plugins process settings"},
	{TamperGuard, "allow-once command config data doctor files hooks install memory off on pending policy process program purge telemetry uninstall worker"},
	{Dynamic, "code command limit parse"},
}

// allVerbs are those of all kinds.
func allVerbs() []string {
	var out []string
	for i := range verbs {
		out = append(out, strings.Fields(verbs[i].names)...)
	}
	return out
}
