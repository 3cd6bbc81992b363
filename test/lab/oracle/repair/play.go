//go:build karpenter

package repair

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"testing/synctest"
	"time"

	"github.com/awslabs/operatorpkg/status"
	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache/informertest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllertest"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/node/health"
	"sigs.k8s.io/karpenter/pkg/events"
	"sigs.k8s.io/karpenter/pkg/operator/options"
	"sigs.k8s.io/karpenter/pkg/test/v1alpha1"
)

type player struct {
	*scenario
	client    client.Client
	informers *informertest.FakeInformers
	start     time.Time
	mu        sync.Mutex
	trace     []action
	stop      func()
}

// play plays a scenario in a bubble of virtual time.
func play(s *scenario) []action {
	log.SetLogger(logr.Discard())
	p := &player{scenario: s, start: time.Now()}
	p.client = fake.NewClientBuilder().WithScheme(scheme.Scheme).
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
	for _, text := range s.Objects {
		p.apply(text)
	}
	p.run()
	for _, step := range s.Steps {
		p.advance(step.At)
		switch {
		case step.Restart:
			p.stop()
			p.run()
		case step.Apply != nil:
			p.apply(step.Apply)
		default:
			p.remove(step.Delete)
		}
	}
	p.advance(s.Until)
	p.stop()
	return sorted(p.trace)
}

// own marks what the player does itself.
type own struct{}

var byPlayer = context.WithValue(context.Background(), own{}, true)

func (p *player) add(done action) {
	p.mu.Lock()
	defer p.mu.Unlock()
	done.At = time.Since(p.start).Milliseconds()
	// One repair that is kept from a node has an event for each object that it concerns.
	if !slices.Contains(p.trace, done) {
		p.trace = append(p.trace, done)
	}
}

func (p *player) advance(to float64) {
	time.Sleep(time.Until(p.start.Add(seconds(to))))
	synctest.Wait()
}

// apply creates an object or replaces it, and tells the controller's watch of it.
func (p *player) apply(text json.RawMessage) {
	wanted := decode(text)
	present := wanted.DeepCopyObject().(client.Object)
	key := client.ObjectKeyFromObject(wanted)
	if p.client.Get(byPlayer, key, present) != nil {
		must(p.create(wanted))
		return
	}
	after := wanted.DeepCopyObject().(client.Object)
	after.SetResourceVersion(present.GetResourceVersion())
	must(p.client.Update(byPlayer, after))
	if node, is := wanted.(*corev1.Node); is {
		after.(*corev1.Node).Status = node.Status
		must(p.client.Status().Update(byPlayer, after))
		if p.informers != nil {
			p.watch().Update(present, after)
		}
	}
}

func (p *player) create(wanted client.Object) error {
	// The fake client creates nothing that is being deleted.
	isEnding := wanted.GetDeletionTimestamp() != nil
	wanted.SetDeletionTimestamp(nil)
	if err := p.client.Create(byPlayer, wanted); err != nil {
		return err
	}
	if isEnding {
		return p.client.Delete(byPlayer, wanted)
	}
	if _, is := wanted.(*corev1.Node); is && p.informers != nil {
		p.watch().Add(wanted)
	}
	return nil
}

func (p *player) remove(text json.RawMessage) {
	gone := decode(text)
	if p.client.Get(byPlayer, client.ObjectKeyFromObject(gone), gone) != nil {
		return
	}
	gone.SetFinalizers(nil)
	must(p.client.Update(byPlayer, gone))
	_ = p.client.Delete(byPlayer, gone)
	if _, is := gone.(*corev1.Node); is {
		p.watch().Delete(gone)
	}
}

// run starts a fresh process, with the manager that Karpenter runs its controllers in.
func (p *player) run() {
	ctx := options.ToContext(context.Background(), &options.Options{CPURequests: 1000})
	ctx, cancel := context.WithCancel(ctx)
	p.informers = &informertest.FakeInformers{Scheme: scheme.Scheme}
	informers := p.informers
	m, err := manager.New(&rest.Config{Host: "http://none"}, manager.Options{
		Scheme:    scheme.Scheme,
		Logger:    logr.Discard(),
		Metrics:   server.Options{BindAddress: "0"},
		NewCache:  func(*rest.Config, cache.Options) (cache.Cache, error) { return informers, nil },
		NewClient: func(*rest.Config, client.Options) (client.Client, error) { return p.client, nil },
		MapperProvider: func(*rest.Config, *http.Client) (meta.RESTMapper, error) {
			return meta.NewDefaultRESTMapper(nil), nil
		},
		Controller: config.Controller{SkipNameValidation: ptr.To(true)},
	})
	must(err)
	must(health.NewController(p.client, provider{policies: p.Policies}, clock.RealClock{}, recorder{p}).Register(ctx, m))
	var running sync.WaitGroup
	running.Go(func() { must(m.Start(ctx)) })
	p.stop = func() {
		cancel()
		running.Wait()
	}
	synctest.Wait()
	nodes := &corev1.NodeList{}
	must(p.client.List(byPlayer, nodes))
	for i := range nodes.Items {
		p.watch().Add(&nodes.Items[i])
	}
}

func (p *player) watch() *controllertest.FakeInformer {
	found, err := p.informers.FakeInformerFor(byPlayer, &corev1.Node{})
	must(err)
	return found
}

// provider is a cloud provider of which node repair asks for nothing but its policies.
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

// recorder hears of the repairs that are kept from nodes.
type recorder struct{ *player }

func (r recorder) Publish(all ...events.Event) {
	for _, one := range all {
		if one.Reason == events.NodeRepairBlocked {
			r.add(action{Kind: "repair-blocked", Node: one.InvolvedObject.(*corev1.Node).Name})
		}
	}
}
