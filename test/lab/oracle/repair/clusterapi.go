//go:build clusterapi

package repair

import (
	"context"
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/util/workqueue"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/controllers/clustercache"
	"sigs.k8s.io/cluster-api/core/reconcilers/machinehealthcheck"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/cluster-api/util/index"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

func init() {
	must(clusterv1.AddToScheme(scheme.Scheme))
}

func newClient(p *player) client.Client {
	return fake.NewClientBuilder().WithScheme(scheme.Scheme).
		WithObjects(cluster(), template("capi")).
		WithStatusSubresource(&clusterv1.MachineHealthCheck{}, &clusterv1.Machine{}).
		WithIndex(&clusterv1.Machine{}, index.MachineNodeNameField, index.MachineByNodeName).
		WithInterceptorFuncs(interceptor.Funcs{
			Create: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.CreateOption) error {
				p.requested(ctx, o)
				return c.Create(ctx, o, opts...)
			},
			Patch: func(ctx context.Context, c client.WithWatch, o client.Object, patch client.Patch, opts ...client.PatchOption) error {
				return p.told(c, o, func() error { return c.Patch(ctx, o, patch, opts...) })
			},
			SubResourcePatch: func(ctx context.Context, c client.Client, name string, o client.Object, patch client.Patch, opts ...client.SubResourcePatchOption) error {
				return p.told(c, o, func() error { return c.SubResource(name).Patch(ctx, o, patch, opts...) })
			},
		}).Build()
}

// cluster is the cluster of all Machines, which has been up for long.
func cluster() *clusterv1.Cluster {
	long := metav1.NewTime(metav1.Now().AddDate(-1, 0, 0))
	up := func(kind string) metav1.Condition {
		return metav1.Condition{Type: kind, Status: metav1.ConditionTrue, Reason: "Up", LastTransitionTime: long}
	}
	return &clusterv1.Cluster{
		ObjectMeta: metav1.ObjectMeta{Namespace: "capi", Name: "main"},
		Status: clusterv1.ClusterStatus{Conditions: []metav1.Condition{
			up(clusterv1.ClusterControlPlaneInitializedCondition), up(clusterv1.ClusterInfrastructureReadyCondition),
		}},
	}
}

// told notifies the watches of a write, and records Machines whose owner is asked to replace them.
func (p *player) told(c client.Client, o client.Object, write func() error) error {
	before := o.DeepCopyObject().(client.Object)
	must(c.Get(byPlayer, client.ObjectKeyFromObject(o), before))
	if err := write(); err != nil {
		return err
	}
	after := o.DeepCopyObject().(client.Object)
	must(c.Get(byPlayer, client.ObjectKeyFromObject(o), after))
	if machine, is := after.(*clusterv1.Machine); is && isMarked(machine) && !isMarked(before.(*clusterv1.Machine)) {
		p.add(action{Kind: "machine-marked", Detail: machine.Name})
	}
	if before.GetResourceVersion() != after.GetResourceVersion() {
		p.watch(after).Update(before, after)
	}
	return nil
}

func isMarked(m *clusterv1.Machine) bool {
	return conditions.IsFalse(m, clusterv1.MachineOwnerRemediatedCondition)
}

func processContext() context.Context { return context.Background() }

func register(ctx context.Context, m manager.Manager, p *player) error {
	// The fake informers are created one by one, because their map has no lock.
	for _, kind := range []client.Object{&clusterv1.MachineHealthCheck{}, &clusterv1.Machine{}, &clusterv1.Cluster{}, &corev1.Node{}} {
		p.watch(kind)
	}
	reconciler := machinehealthcheck.Reconciler{Client: p.client, ClusterCache: &self{player: p}}
	return reconciler.SetupWithManager(ctx, hear(m, p), controller.Options{})
}

// self connects to the cluster whose nodes are checked, which also holds the Machines.
type self struct {
	clustercache.ClusterCache
	*player
	isWatched bool
}

func (s *self) GetClient(context.Context, client.ObjectKey) (client.Client, error) {
	return s.client, nil
}

func (s *self) Watch(_ context.Context, _ client.ObjectKey, watcher clustercache.Watcher) error {
	if s.isWatched {
		return nil
	}
	s.isWatched = true
	return watcher.Watch(s.informers)
}

func (s *self) GetClusterSource(string, func(context.Context, client.Object) []reconcile.Request, ...clustercache.GetClusterSourceOption) source.Source {
	return source.Func(func(context.Context, workqueue.TypedRateLimitingInterface[reconcile.Request]) error { return nil })
}

func isWatched(client.Object) bool { return true }

func watchedLists() []client.ObjectList {
	return []client.ObjectList{&clusterv1.MachineHealthCheckList{}, &clusterv1.MachineList{}, &corev1.NodeList{}}
}

// carry copies what the controller wrote to a replaced object: the conditions of a Machine.
func carry(present, wanted client.Object) {
	if machine, is := wanted.(*clusterv1.Machine); is {
		for _, condition := range present.(*clusterv1.Machine).Status.Conditions {
			if conditions.Get(machine, condition.Type) == nil {
				machine.Status.Conditions = append(machine.Status.Conditions, condition)
			}
		}
		machine.Status.Deprecated = present.(*clusterv1.Machine).Status.Deprecated
	}
}

// decode reads an object, and adds what all of a kind share and vectors leave out: the cluster, a node's UID, and the
// condition that a check is not paused.
func decode(text json.RawMessage) client.Object {
	decoded := decodeAs(text, &clusterv1.Machine{}, &clusterv1.MachineHealthCheck{})
	switch decoded := decoded.(type) {
	case *clusterv1.Machine:
		decoded.Finalizers = []string{clusterv1.MachineFinalizer}
	case *clusterv1.MachineHealthCheck:
		conditions.Set(decoded, metav1.Condition{
			Type: clusterv1.PausedCondition, Status: metav1.ConditionFalse, Reason: clusterv1.NotPausedReason,
		})
	}
	return decoded
}
