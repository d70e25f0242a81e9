package cloud

// rule is one operation of a program that tears something down.
type rule struct {
	// words must lead the operands: * is any one word, ** any number of them, a|b one of these, delete-* what begins so.
	words string
	// option is one that must be there; of several, separated by blanks, one. Empty for none.
	option string
	verb   string
	flags  string
}

// tool is a program with its rules; the first that fits counts.
type tool struct {
	names string
	// valued are the options with a value; target those whose values name an environment.
	valued, target string
	rules          []rule
}

// tools are static data: nothing is built at start-up.
var tools = [...]*tool{&terraform, &pulumi, &cdk, &serverless, &aws, &gcloud, &gsutil, &azure, &hosting, &kubectl, &helm, &argocd, &flux, &clusters,
	&docker, &compose, &virsh, &vagrant, &vbox, &nomad, &consul, &vault, &etcd, &kafka, &ibm, &ansible, &multipass, &lxc, &proxmox, &rclone, &mc}

var terraform = tool{
	names: "terraform tofu terragrunt", valued: "var var-file target state chdir backup out parallelism replace lock-timeout working-dir",
	target: "chdir var-file var",
	rules: []rule{
		{"destroy|destroy-all", "", "terraform-destroy", "all"},
		{"run-all destroy", "", "terraform-destroy", "all"},
		{"run ** destroy", "", "terraform-destroy", "all"},
		{"apply", "destroy", "terraform-destroy", "all"},
		{"apply|apply-all", "auto-approve", "terraform-apply-unasked", ""},
		{"run-all apply", "", "terraform-apply-unasked", ""},
		{"state rm|push|replace-provider", "", "terraform-state", ""},
		{"workspace delete", "", "terraform-workspace-delete", ""},
		{"force-unlock", "", "terraform-force-unlock", ""},
		{"taint", "", "terraform-taint", ""},
	},
}

var pulumi = tool{names: "pulumi", valued: "s stack C cwd t target config", target: "s stack", rules: []rule{
	{"destroy|down", "", "pulumi-destroy", "all"},
	{"stack rm", "", "pulumi-stack-rm", ""},
	{"state delete", "", "pulumi-state", ""},
}}

var cdk = tool{names: "cdk cdktf", valued: "profile c context a app", target: "profile c context", rules: []rule{
	{"destroy", "", "cdk-destroy", "all"},
}}

var serverless = tool{names: "serverless sls sst sam copilot chalice zappa amplify eb up encore", valued: "s stage r region c config stack-name n name e env",
	target: "s stage e env stack-name n name", rules: []rule{
		{"remove|undeploy", "", "serverless-remove", "all"},
		{"delete", "", "serverless-remove", "all"},
		{"env delete", "", "serverless-remove", "all"},
		{"app delete", "", "serverless-remove", "all"},
		{"svc delete", "", "serverless-remove", "all"},
		{"terminate", "", "serverless-remove", "all"},
	}}

var aws = tool{names: "aws awslocal", valued: "profile region output query endpoint-url cli-input-json bucket key function-name table-name stack-name",
	target: "profile", rules: []rule{
		{"s3 rm", "recursive", "aws-s3-rm", "recursive"},
		{"s3 rm", "", "aws-s3-rm", ""},
		{"s3 rb", "force", "aws-s3-rb", "forced"},
		{"s3 rb", "", "aws-s3-rb", ""},
		{"s3 sync", "delete", "aws-s3-sync-delete", "recursive"},
		{"s3 mv", "recursive", "aws-s3-mv", "recursive"},
		{"iam|sso-admin|organizations create-access-key|attach-*|put-*-policy|create-login-profile|add-user-to-group|update-assume-role-policy", "", "aws-iam-grant", ""},
		{"ec2 authorize-security-group-ingress", "", "aws-open-port", ""},
		{"s3api put-bucket-acl|put-bucket-policy|put-public-access-block|delete-public-access-block", "", "aws-s3-policy", ""},
		{"cloudtrail|guardduty|config|securityhub stop-*|delete-*|disable-*", "", "aws-audit-off", ""},
		{"sqs|logs|kms delete-message|delete-log-stream|disable-key-rotation", "", "aws-delete", ""},
		{"kms schedule-key-deletion|disable-key", "", "aws-delete", ""},
		{"* delete-*|terminate-*|remove-*|purge-*|deregister-*|destroy-*|batch-delete-*|disassociate-*|release-*", "", "aws-delete", ""},
		{"ec2 stop-instances", "", "aws-stop", ""},
		{"ecs update-service", "", "", ""},
	}}

var gcloud = tool{names: "gcloud", valued: "project zone region account configuration format filter cluster", target: "project configuration account", rules: []rule{
	{"storage rm", "r R recursive", "gcloud-storage-rm", "recursive"},
	{"storage rm", "", "gcloud-storage-rm", ""},
	{"storage rsync", "delete-unmatched-destination-objects", "gcloud-storage-rm", "recursive"},
	{"config ** unset|delete", "", "", ""},
	{"auth revoke", "", "", ""},
	{"** add-iam-policy-binding|set-iam-policy", "", "gcloud-iam-grant", ""},
	{"iam service-accounts keys create", "", "gcloud-iam-grant", ""},
	{"** delete|destroy|remove-*|purge|undelete-*", "", "gcloud-delete", ""},
}}

var gsutil = tool{names: "gsutil", valued: "o h u p", rules: []rule{
	{"rm", "r R a", "gsutil-rm", "recursive"},
	{"rm", "", "gsutil-rm", ""},
	{"rb", "", "gsutil-rb", ""},
	{"rsync", "d", "gsutil-rsync-delete", "recursive"},
	{"iam ch|set", "", "gsutil-iam", ""},
}}

var azure = tool{names: "az", valued: "g resource-group n name subscription o output query s l location account-name container-name c vault-name id ids",
	target: "g resource-group subscription n name", rules: []rule{
		{"group delete", "", "az-group-delete", "all"},
		{"account|cache|config ** clear|unset|purge", "", "", ""},
		{"role assignment create", "", "az-role-grant", ""},
		{"** delete|purge|delete-batch|remove|deallocate", "", "az-delete", ""},
	}}

// hosting are the clients of platforms that all speak alike.
var hosting = tool{
	names: "heroku fly flyctl vercel now netlify railway supabase firebase doctl linode-cli hcloud oci scw wrangler render civo vultr-cli exo platform upsun " +
		"lagoon dokku cf koyeb northflank porter deta deployctl surge s3cmd b2 eas neonctl pscale turso upctl openstack nova ovhcloud",
	valued: "a app r remote t token s site scope c config org p project context o output access-token env e confirm name n compartment-id",
	target: "a app r remote site scope project p env e context name n",
	rules: []rule{
		{"addons:destroy|apps:destroy|apps:delete|destroy|pg:reset|pg:backups:delete|domains:clear|config:unset|keys:clear|sites:delete|deleteproject", "", "hosting-delete", ""},
		{"firestore:delete|database:remove|functions:delete|hosting:disable|auth:delete|firestore:databases:delete|sites:delete", "", "hosting-delete", ""},
		{"env|secrets|config|variables|alias|certs|dns rm|remove|unset|delete", "", "hosting-unset", ""},
		{"rm|remove|down|delete|delete-org|delete-space|delete-service|purge-*|teardown", "", "hosting-delete", ""},
		{"rb|deletebucket|delete-bucket|delete-file-version", "", "hosting-delete", ""},
		{"volumes|apps|machine|machines|postgres|redis|db|sites|project|projects|databases|branches|d1|r2|kv|queues|pages destroy|delete|rm|remove|reset", "", "hosting-delete", ""},
		{"** delete|destroy|terminate|rmi|delete-*", "", "hosting-delete", ""},
		{"del", "r recursive", "hosting-delete", "recursive"},
	},
}

var ibm = tool{names: "ibmcloud aliyun tccli hcloud-cn yc", valued: "r g output", rules: []rule{
	{"** delete|*-delete|*-rm|rm|destroy|Delete*|Terminate*", "", "hosting-delete", ""},
}}

var rclone = tool{names: "rclone", valued: "config filter include exclude transfers", rules: []rule{
	{"purge|delete|deletefile|rmdirs|cleanup", "", "rclone-delete", "recursive"},
	{"sync", "", "rclone-sync", "recursive"},
}}

var mc = tool{names: "mc mcli", valued: "config-dir", rules: []rule{
	{"rb", "", "bucket-delete", ""},
	{"rm", "recursive r", "bucket-delete", "recursive"},
	{"mirror", "remove", "bucket-delete", "recursive"},
}}
