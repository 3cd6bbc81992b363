//go:build karpenter

package repair

import (
	"context"
	"encoding/json"

	"github.com/awslabs/operatorpkg/status"
	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/node/health"
	"sigs.k8s.io/karpenter/pkg/events"
	"sigs.k8s.io/karpenter/pkg/operator/options"
	"sigs.k8s.io/karpenter/pkg/test/v1alpha1"
)

func newClient(p *player) client.Client {
	return fake.NewClientBuilder().WithScheme(scheme.Scheme).
		WithIndex(&v1.NodeClaim{}, "status.providerID", func(o client.Object) []string {
			return []string{o.(*v1.NodeClaim).Status.ProviderID}
		}).
		WithInterceptorFuncs(interceptor.Funcs{
			Delete: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.DeleteOption) error {
				if claim, is := o.(*v1.NodeClaim); is && ctx.Value(own{}) == nil {
					p.add(action{Kind: "claim-deleted", Detail: claim.Name})
				}
				return c.Delete(ctx, o, opts...)
			},
		}).Build()
}

func processContext() context.Context {
	return options.ToContext(context.Background(), &options.Options{CPURequests: 1000})
}

func register(ctx context.Context, m manager.Manager, p *player) error {
	return health.NewController(p.client, provider{policies: p.Policies}, clock.RealClock{}, recorder{p}).Register(ctx, m)
}

func isWatched(o client.Object) bool {
	_, is := o.(*corev1.Node)
	return is
}

func watchedLists() []client.ObjectList { return []client.ObjectList{&corev1.NodeList{}} }

// provider is a cloud provider that has only the policies for node repair.
type provider struct {
	cloudprovider.CloudProvider
	policies []policy
}

func (p provider) RepairPolicies() []cloudprovider.RepairPolicy {
	all := []cloudprovider.RepairPolicy{}
	for _, one := range p.policies {
		all = append(all, cloudprovider.RepairPolicy{
			ConditionType: one.Type, ConditionStatus: one.Status, TolerationDuration: seconds(one.Toleration),
		})
	}
	return all
}

func (provider) GetSupportedNodeClasses() []status.Object {
	return []status.Object{&v1alpha1.TestNodeClass{}}
}

// recorder records blocked repairs.
type recorder struct{ *player }

func (r recorder) Publish(all ...events.Event) {
	for _, one := range all {
		if one.Reason == events.NodeRepairBlocked {
			r.add(action{Kind: "repair-blocked", Node: one.InvolvedObject.(*corev1.Node).Name})
		}
	}
}

// carry copies what the controller wrote to a replaced object: nothing.
func carry(client.Object, client.Object) {}

// decode reads an object, and adds what all of a kind share and vectors leave out: the label by which the provider
// recognizes its nodes, and the finalizer that keeps a deleted NodeClaim until its machine is gone.
func decode(text json.RawMessage) client.Object {
	var head struct{ Kind string }
	must(json.Unmarshal(text, &head))
	var decoded client.Object
	switch head.Kind {
	case "Node":
		decoded = &corev1.Node{}
	case "NodeClaim":
		decoded = &v1.NodeClaim{}
	default:
		decoded = &v1.NodePool{}
	}
	must(json.Unmarshal(text, decoded))
	switch decoded := decoded.(type) {
	case *corev1.Node:
		decoded.Labels = lo.Assign(decoded.Labels, map[string]string{v1alpha1.Group + "/testnodeclass": "default"})
	case *v1.NodeClaim:
		decoded.Finalizers = []string{v1.TerminationFinalizer}
	}
	return decoded
}
