package cloud

var kubectl = tool{
	names: "kubectl oc k kubecolor microk8s.kubectl k3s",
	valued: "n namespace context kubeconfig cluster user s server l selector f filename o output grace-period timeout cascade as replicas p patch k kustomize type " +
		"field-selector token field-manager clusterrole serviceaccount",
	target: "n namespace context cluster kubeconfig",
	rules: []rule{
		{"delete all", "", "kubectl-delete", "all"},
		{"delete", "all A all-namespaces", "kubectl-delete", "all"},
		{"delete namespace|namespaces|ns|project|projects", "", "kubectl-delete-namespace", ""},
		{"delete namespace/*|ns/*|project/*", "", "kubectl-delete-namespace", ""},
		{"delete node|nodes|no|node/*|nodes/*", "", "kubectl-delete-node", ""},
		{"delete pvc|pv|persistentvolumeclaim|persistentvolumeclaims|persistentvolume|persistentvolumes|pvc/*|pv/*", "", "kubectl-delete-volume", ""},
		{"delete crd|crds|customresourcedefinition|customresourcedefinitions|crd/*", "", "kubectl-delete-crd", ""},
		{"delete pod|pods|po|pod/*|pods/*|po/*|job|jobs|job/*|event|events|replicaset|rs", "", "kubectl-delete-pod", ""},
		{"delete", "", "kubectl-delete", ""},
		{"drain", "", "kubectl-drain", ""},
		{"replace", "force", "kubectl-replace-force", "forced"},
		{"apply", "prune", "kubectl-apply-prune", ""},
		{"scale", "replicas=0", "kubectl-scale-zero", ""},
		{"taint|cordon", "", "kubectl-cordon", ""},
		{"create clusterrolebinding|rolebinding", "clusterrole=cluster-admin", "kubectl-grant-admin", ""},
	},
}

var helm = tool{names: "helm helmfile", valued: "n namespace kube-context kubeconfig f values set version timeout e environment l selector",
	target: "n namespace kube-context e environment", rules: []rule{
		{"uninstall|delete|del|un|destroy", "", "helm-uninstall", ""},
		{"rollback", "", "helm-rollback", ""},
	}}

var argocd = tool{names: "argocd", valued: "server auth-token p project", target: "server p project", rules: []rule{
	{"app delete|delete-resource", "", "argocd-delete", ""},
	{"proj|cluster|repo|appset delete|rm", "", "argocd-delete", ""},
	{"app sync", "prune", "argocd-sync-prune", ""},
}}

var flux = tool{names: "flux velero istioctl linkerd cilium", valued: "n namespace context", target: "n namespace context", rules: []rule{
	{"uninstall", "", "cluster-uninstall", ""},
	{"** delete|purge", "", "cluster-delete", ""},
}}

var clusters = tool{names: "eksctl kops kind minikube k3d talosctl kubeadm rosa ctlptl rke k0s microk8s", valued: "name n cluster p profile region state",
	target: "name n cluster p profile", rules: []rule{
		{"delete|destroy|reset|remove", "", "cluster-delete", ""},
		{"** delete|destroy", "", "cluster-delete", ""},
	}}

var docker = tool{
	names:  "docker podman nerdctl finch",
	valued: "c context H host filter config log-level t time format name",
	target: "c context H host",
	rules: []rule{
		{"system prune", "volumes", "docker-volume-prune", "all"},
		{"system prune", "", "docker-prune", "all"},
		{"system reset", "", "docker-volume-prune", "all"},
		{"volume rm|remove", "", "docker-volume-rm", ""},
		{"volume prune", "", "docker-volume-prune", "all"},
		{"container|image|network|builder|buildx prune", "", "docker-prune", ""},
		{"rm", "v volumes", "docker-rm-volumes", ""},
		{"container rm", "v volumes", "docker-rm-volumes", ""},
		{"rm", "", "docker-rm", ""},
		{"rmi", "", "docker-rmi", ""},
		{"container|image|network rm|remove", "", "docker-rm", ""},
		{"context|config|secret|stack|service|plugin rm|remove", "", "docker-service-rm", ""},
		{"swarm leave", "force f", "docker-swarm-leave", "forced"},
		{"pod|machine|secret rm", "", "docker-service-rm", ""},
	},
}

var compose = tool{names: "docker-compose podman-compose", valued: "f file p project-name env-file profile t timeout", rules: []rule{
	{"down", "v volumes", "compose-down-volumes", ""},
	{"rm", "v volumes", "compose-down-volumes", ""},
	{"down", "", "compose-down", ""},
}}

var virsh = tool{names: "virsh", valued: "c connect", target: "c connect", rules: []rule{
	{"destroy", "", "vm-stop", ""},
	{"undefine|vol-delete|vol-wipe|pool-delete|snapshot-delete|managedsave-remove|net-undefine|net-destroy", "", "vm-delete", ""},
}}

var vagrant = tool{names: "vagrant tart vctl prlctl", valued: "", rules: []rule{
	{"destroy|delete", "", "vm-delete", ""},
	{"box remove", "", "docker-rm", ""},
	{"snapshot delete", "", "vm-delete", ""},
}}

var vbox = tool{names: "VBoxManage vboxmanage", valued: "", rules: []rule{
	{"unregistervm", "delete delete-all", "vm-delete", ""},
	{"closemedium", "delete", "vm-delete", ""},
	{"snapshot * delete", "", "vm-delete", ""},
}}

var multipass = tool{names: "multipass limactl colima orb orbctl wsl lima", valued: "d distribution u user unregister", rules: []rule{
	{"delete|purge|reset", "", "vm-delete", ""},
	{"", "unregister", "vm-delete", ""},
}}

var lxc = tool{names: "lxc incus lxd machinectl", valued: "", rules: []rule{
	{"delete|remove|rm", "", "vm-delete", ""},
	{"storage|image|network|profile|snapshot|project delete|rm", "", "vm-delete", ""},
	{"storage volume delete", "", "vm-delete", ""},
}}

var proxmox = tool{names: "qm pct pvesm govc xe esxcli", valued: "", rules: []rule{
	{"destroy|free|vm.destroy|vm-destroy|vm-uninstall|datastore.rm|pool-destroy", "", "vm-delete", ""},
}}

var nomad = tool{names: "nomad", valued: "namespace region address", target: "namespace region address", rules: []rule{
	{"job stop|purge", "purge", "nomad-purge", ""},
	{"stop", "purge", "nomad-purge", ""},
	{"job stop", "", "nomad-stop", ""},
	{"stop", "", "nomad-stop", ""},
	{"namespace|volume|var delete|purge|deregister", "", "nomad-purge", ""},
	{"system gc", "", "nomad-purge", ""},
}}

var consul = tool{names: "consul", valued: "http-addr token datacenter", target: "http-addr datacenter", rules: []rule{
	{"kv delete", "recurse", "consul-delete", "recursive"},
	{"kv delete", "", "consul-delete", ""},
	{"leave", "", "consul-leave", ""},
}}

var vault = tool{names: "vault bao", valued: "address namespace mount path", target: "address namespace", rules: []rule{
	{"kv destroy|delete", "", "vault-delete", ""},
	{"kv metadata delete", "", "vault-delete", ""},
	{"secrets|auth|audit disable", "", "vault-disable", ""},
	{"delete", "", "vault-delete", ""},
	{"policy|namespace|token|lease delete|revoke", "", "vault-delete", ""},
	{"operator seal|step-down|rekey", "", "vault-seal", ""},
}}

var etcd = tool{names: "etcdctl", valued: "endpoints cacert cert key user", target: "endpoints", rules: []rule{
	{"del|rm|rmdir", "prefix recursive from-key", "etcd-delete", "recursive"},
	{"del|rm", "", "etcd-delete", ""},
	{"member remove", "", "etcd-delete", ""},
}}

var kafka = tool{names: "kafka-topics kafka-topics.sh kafka-consumer-groups kafka-consumer-groups.sh kafka-delete-records.sh rpk kcat nats",
	valued: "bootstrap-server topic zookeeper group", target: "bootstrap-server", rules: []rule{
		{"", "delete", "topic-delete", ""},
		{"topic|stream|consumer|kv|object delete|rm|purge|del", "", "topic-delete", ""},
	}}

var ansible = tool{names: "ansible-galaxy ansible-vault", valued: "", rules: []rule{
	{"decrypt", "", "vault-decrypt", ""},
}}
