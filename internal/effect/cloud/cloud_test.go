package cloud_test

import (
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/effect/cloud"
	"github.com/boathook/boathook/internal/effect/effecttest"
)

func TestTeardown(t *testing.T) {
	effecttest.Check(t, cloud.Effects, [][2]string{
		{"terraform destroy", "cloud/terraform-destroy all"},
		{"terraform destroy -auto-approve", "cloud/terraform-destroy"},
		{"terraform -chdir=prod destroy", "cloud/terraform-destroy production"},
		{"terraform apply -destroy -auto-approve", "cloud/terraform-destroy"},
		{"terraform apply -auto-approve", "cloud/terraform-apply-unasked"},
		{"terraform state rm aws_instance.x", "cloud/terraform-state"},
		{"tofu destroy", "cloud/terraform-destroy"},
		{"terragrunt run-all destroy", "cloud/terraform-destroy"},
		{"pulumi destroy --yes -s prod", "cloud/pulumi-destroy production"},
		{"cdk destroy --all", "cloud/cdk-destroy"},
		{"serverless remove --stage prod", "cloud/serverless-remove production"},
		{"aws s3 rm s3://bucket --recursive", "cloud/aws-s3-rm recursive =s3://bucket"},
		{"aws s3 rb s3://bucket --force", "cloud/aws-s3-rb forced"},
		{"aws --profile prod ec2 terminate-instances --instance-ids i-1", "cloud/aws-delete production"},
		{"aws rds delete-db-instance --db-instance-identifier x", "cloud/aws-delete"},
		{"aws dynamodb delete-table --table-name x", "cloud/aws-delete =x"},
		{"aws cloudformation delete-stack --stack-name x", "cloud/aws-delete"},
		{"aws s3api delete-object --bucket b --key k", "cloud/aws-delete"},
		{"aws iam create-access-key --user-name x", "cloud/aws-iam-grant"},
		{"aws cloudtrail stop-logging --name x", "cloud/aws-audit-off"},
		{"aws s3 sync . s3://b --delete", "cloud/aws-s3-sync-delete"},
		{"gcloud compute instances delete x", "cloud/gcloud-delete =x"},
		{"gcloud projects delete shop-prod", "cloud/gcloud-delete production"},
		{"gcloud sql instances delete x --quiet", "cloud/gcloud-delete"},
		{"gcloud storage rm -r gs://b", "cloud/gcloud-storage-rm recursive"},
		{"gsutil -m rm -r gs://b", "cloud/gsutil-rm recursive"},
		{"az group delete -n x --yes", "cloud/az-group-delete"},
		{"az vm delete -g x -n y", "cloud/az-delete"},
		{"heroku apps:destroy -a shop --confirm shop", "cloud/hosting-delete"},
		{"fly apps destroy shop", "cloud/hosting-delete"},
		{"doctl compute droplet delete 12 -f", "cloud/hosting-delete"},
		{"vercel rm shop --yes", "cloud/hosting-delete"},
		{"firebase firestore:delete --all-collections", "cloud/hosting-delete"},
		{"hcloud server delete x", "cloud/hosting-delete"},
		{"wrangler delete", "cloud/hosting-delete"},
		{"kubectl delete ns shop", "cloud/kubectl-delete-namespace =shop"},
		{"kubectl delete namespace prod", "cloud/kubectl-delete-namespace production"},
		{"kubectl delete all --all", "cloud/kubectl-delete all"},
		{"kubectl -n shop delete pods --all", "cloud/kubectl-delete all"},
		{"kubectl delete pvc data", "cloud/kubectl-delete-volume"},
		{"kubectl delete -f k8s/", "cloud/kubectl-delete =k8s/"},
		{"kubectl delete deployment web --context prod", "cloud/kubectl-delete production"},
		{"kubectl delete pod web-1", "cloud/kubectl-delete-pod"},
		{"kubectl drain node-1 --ignore-daemonsets", "cloud/kubectl-drain"},
		{"kubectl scale deployment web --replicas=0", "cloud/kubectl-scale-zero"},
		{"kubectl replace --force -f x.yaml", "cloud/kubectl-replace-force"},
		{"helm uninstall web -n prod", "cloud/helm-uninstall production"},
		{"helm delete web", "cloud/helm-uninstall"},
		{"argocd app delete web", "cloud/argocd-delete"},
		{"eksctl delete cluster --name x", "cloud/cluster-delete"},
		{"kind delete cluster", "cloud/cluster-delete local"},
		{"minikube delete", "cloud/cluster-delete local"},
		{"docker system prune -af --volumes", "cloud/docker-volume-prune"},
		{"docker system prune -a", "cloud/docker-prune"},
		{"docker volume rm data", "cloud/docker-volume-rm =data"},
		{"docker volume prune -f", "cloud/docker-volume-prune"},
		{"docker rm -f web", "cloud/docker-rm"},
		{"docker rm -fv web", "cloud/docker-rm-volumes"},
		{"docker rmi x", "cloud/docker-rmi"},
		{"docker compose down -v", "cloud/compose-down-volumes"},
		{"docker compose -f x.yml down --volumes", "cloud/compose-down-volumes"},
		{"docker-compose down -v", "cloud/compose-down-volumes"},
		{"docker compose down", "cloud/compose-down"},
		{"podman volume rm data", "cloud/docker-volume-rm"},
		{"docker run --privileged alpine", "privilege/container-escape privileged"},
		{"docker run -it -v /:/host alpine", "privilege/container-escape host-root"},
		{"docker run --rm --mount type=bind,source=/,target=/h alpine sh", "privilege/container-escape host-root"},
		{"docker run --pid=host alpine", "privilege/container-escape host-pid"},
		{"docker run --pid host alpine", "privilege/container-escape host-pid"},
		{"docker run -v /var/run/docker.sock:/var/run/docker.sock x", "privilege/container-escape daemon-socket"},
		{"docker run -v/etc:/e x", "privilege/container-escape host-directory"},
		{"vagrant destroy -f", "cloud/vm-delete"},
		{"virsh undefine x", "cloud/vm-delete"},
		{"VBoxManage unregistervm x --delete", "cloud/vm-delete"},
		{"nomad job stop -purge x", "cloud/nomad-purge"},
		{"consul kv delete -recurse x", "cloud/consul-delete recursive"},
		{"vault kv destroy -versions=1 secret/x", "cloud/vault-delete"},
		{"vault kv metadata delete secret/x", "cloud/vault-delete"},
		{"etcdctl del --prefix /", "cloud/etcd-delete recursive"},
		{"kafka-topics --bootstrap-server x --delete --topic y", "cloud/topic-delete"},
		{"cf delete shop -f", "cloud/hosting-delete"},
		{"aws $X delete-bucket --bucket $B", "cloud/aws-delete"},
	})
}

func TestEveryday(t *testing.T) {
	for line := range strings.SplitSeq(strings.TrimSpace(everyday), "\n") {
		effecttest.Check(t, cloud.Effects, [][2]string{{line}})
	}
}

const everyday = `
terraform init
terraform plan
terraform plan -destroy
terraform validate
terraform fmt -recursive
terraform apply
terraform apply tfplan
terraform show
terraform state list
terraform destroy --help
terraform destroy -help
pulumi preview
pulumi up
cdk diff
cdk deploy
aws s3 ls
aws s3 cp a s3://b
aws s3 rm s3://b --recursive --dryrun
aws s3 sync . s3://b
aws ec2 describe-instances
aws ec2 terminate-instances --dry-run --instance-ids i-1
aws rds describe-db-instances
aws help
aws s3 rm help
gcloud compute instances list
gcloud config set project x
gcloud auth login
gsutil ls gs://b
az vm list
az login
heroku logs --tail
heroku config
fly status
fly deploy
vercel
vercel --prod
netlify deploy
doctl compute droplet list
supabase start
firebase deploy
kubectl get pods
kubectl get all -A
kubectl describe pod x
kubectl logs web-1
kubectl apply -f k8s/
kubectl delete ns shop --dry-run=client
kubectl rollout undo deployment/web
kubectl rollout restart deployment/web
kubectl scale deployment web --replicas=3
kubectl exec web-1 -- ls
kubectl config use-context x
helm list
helm install web ./chart
helm upgrade --install web ./chart
helm uninstall web --dry-run
helm template .
docker ps -a
docker build -t x .
docker run --rm -v $PWD:/app -w /app node npm test
docker run -d -p 5432:5432 postgres
docker run -v data:/data x
docker run --rm alpine ls --privileged
docker exec web ls
docker logs web
docker images
docker stop web
docker compose up -d
docker compose logs
docker compose ps
docker-compose build
docker volume ls
docker inspect web
kind create cluster
minikube start
vagrant up
nomad status
consul kv get x
vault kv put secret/x a=b
etcdctl get x
kafka-topics --list
echo terraform destroy
`
