//go:build karpenter || machineapi || clusterapi

package repair

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache/informertest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllertest"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
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

// play plays a scenario in a synctest bubble.
func play(s *scenario) []action {
	log.SetLogger(logr.Discard())
	p := &player{scenario: s, start: time.Now()}
	p.client = newClient(p)
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

// own marks the player's own writes.
type own struct{}

var byPlayer = context.WithValue(context.Background(), own{}, true)

func (p *player) add(done action) {
	p.mu.Lock()
	defer p.mu.Unlock()
	done.At = time.Since(p.start).Milliseconds()
	// A blocked repair has an event for each object that it concerns.
	if !slices.Contains(p.trace, done) {
		p.trace = append(p.trace, done)
	}
}

func (p *player) advance(to float64) {
	time.Sleep(time.Until(p.start.Add(seconds(to))))
	synctest.Wait()
}

// apply creates or replaces an object, and notifies the controller's watches.
func (p *player) apply(text json.RawMessage) {
	wanted := decode(text)
	present := wanted.DeepCopyObject().(client.Object)
	key := client.ObjectKeyFromObject(wanted)
	if p.client.Get(byPlayer, key, present) != nil {
		must(p.create(wanted))
		return
	}
	carry(present, wanted)
	after := wanted.DeepCopyObject().(client.Object)
	after.SetResourceVersion(present.GetResourceVersion())
	after.SetDeletionTimestamp(present.GetDeletionTimestamp())
	must(p.client.Update(byPlayer, after))
	wanted.SetResourceVersion(after.GetResourceVersion())
	if err := p.client.Status().Update(byPlayer, wanted); err == nil {
		after = wanted
	} else if !apierrors.IsNotFound(err) {
		panic(err)
	}
	if isWatched(after) && p.informers != nil {
		p.watch(after).Update(present, after)
	}
}

func (p *player) create(wanted client.Object) error {
	// The fake client refuses to create objects that are being deleted.
	isEnding := wanted.GetDeletionTimestamp() != nil
	wanted.SetDeletionTimestamp(nil)
	if err := p.client.Create(byPlayer, wanted); err != nil {
		return err
	}
	if isEnding {
		return p.client.Delete(byPlayer, wanted)
	}
	if isWatched(wanted) && p.informers != nil {
		p.watch(wanted).Add(wanted)
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
	if isWatched(gone) {
		p.watch(gone).Delete(gone)
	}
}

// run starts a new process, with the manager in which these projects run their controllers.
func (p *player) run() {
	ctx, cancel := context.WithCancel(processContext())
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
	must(register(ctx, m, p))
	var running sync.WaitGroup
	running.Go(func() { must(m.Start(ctx)) })
	p.stop = func() {
		cancel()
		running.Wait()
	}
	synctest.Wait()
	for _, list := range watchedLists() {
		must(p.client.List(byPlayer, list))
		must(meta.EachListItem(list, func(one runtime.Object) error {
			p.watch(one.(client.Object)).Add(one.(client.Object))
			return nil
		}))
		// Lets the controller open the watch of the next kind.
		synctest.Wait()
	}
}

func (p *player) watch(of client.Object) *controllertest.FakeInformer {
	found, err := p.informers.FakeInformerFor(byPlayer, of)
	must(err)
	return found
}
