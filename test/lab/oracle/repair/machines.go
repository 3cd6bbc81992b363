//go:build machineapi

package repair

import (
	"context"
	"encoding/json"
	"maps"
	"time"

	machinev1 "github.com/openshift/api/machine/v1beta1"
	"github.com/openshift/machine-api-operator/pkg/controller/machinehealthcheck"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

func init() {
	must(machinev1.AddToScheme(scheme.Scheme))
}

// The duration of a write: a controller whose limit blocks a repair retries after a millisecond.
const writing = 500 * time.Millisecond

func newClient(p *player) client.Client {
	return fake.NewClientBuilder().WithScheme(scheme.Scheme).
		WithObjects(template("openshift-machine-api")).
		WithStatusSubresource(&machinev1.MachineHealthCheck{}).
		WithIndex(&machinev1.Machine{}, "machineNodeNameIndex", func(o client.Object) []string {
			if ref := o.(*machinev1.Machine).Status.NodeRef; ref != nil {
				return []string{ref.Name}
			}
			return nil
		}).
		WithInterceptorFuncs(interceptor.Funcs{
			Delete: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.DeleteOption) error {
				if ctx.Value(own{}) != nil {
					return c.Delete(ctx, o, opts...)
				}
				p.add(action{Kind: "machine-deleted", Detail: o.GetName()})
				before := o.DeepCopyObject().(client.Object)
				must(c.Delete(ctx, o, opts...))
				after := &machinev1.Machine{}
				must(c.Get(ctx, client.ObjectKeyFromObject(o), after))
				p.watch(after).Update(before, after)
				return nil
			},
			Create: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.CreateOption) error {
				p.requested(ctx, o)
				return c.Create(ctx, o, opts...)
			},
			Update: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.UpdateOption) error {
				if ctx.Value(own{}) != nil {
					return c.Update(ctx, o, opts...)
				}
				// Only the annotation is written in this way.
				p.add(action{Kind: "remediation-requested", Detail: o.GetName()})
				before := &machinev1.Machine{}
				must(c.Get(ctx, client.ObjectKeyFromObject(o), before))
				must(c.Update(ctx, o, opts...))
				p.watch(o).Update(before, o)
				return nil
			},
			SubResourcePatch: func(ctx context.Context, c client.Client, name string, o client.Object, patch client.Patch, opts ...client.SubResourcePatchOption) error {
				time.Sleep(writing)
				return c.SubResource(name).Patch(ctx, o, patch, opts...)
			},
		}).Build()
}

func processContext() context.Context { return context.Background() }

func register(_ context.Context, m manager.Manager, p *player) error {
	// The fake informers are created one by one, because their map has no lock.
	for _, kind := range []client.Object{&machinev1.MachineHealthCheck{}, &machinev1.Machine{}, &corev1.Node{}} {
		p.watch(kind)
	}
	return machinehealthcheck.Add(hear(m, p), manager.Options{})
}

func isWatched(client.Object) bool { return true }

func watchedLists() []client.ObjectList {
	return []client.ObjectList{&machinev1.MachineHealthCheckList{}, &machinev1.MachineList{}, &corev1.NodeList{}}
}

// carry copies what the controller wrote to a replaced object: the annotation of a Machine.
func carry(present, wanted client.Object) {
	const requested = "host.metal3.io/external-remediation"
	if value, is := present.GetAnnotations()[requested]; is {
		all := map[string]string{requested: value}
		maps.Copy(all, wanted.GetAnnotations())
		wanted.SetAnnotations(all)
	}
}

// decode reads an object, and adds what all of a kind share and vectors leave out: an existing node's UID, and the finalizer
// that keeps a deleted Machine until its instance is gone.
func decode(text json.RawMessage) client.Object {
	decoded := decodeAs(text, &machinev1.Machine{}, &machinev1.MachineHealthCheck{})
	if machine, is := decoded.(*machinev1.Machine); is {
		machine.Finalizers = []string{machinev1.MachineFinalizer}
	}
	return decoded
}
