// Package client is a controller's client of the fake API server: its calls take time, and wait for its own rate limiter.
package client

import (
	"runtime"
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	corev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/flowcontrol"
)

// latency is the duration of a call; with it, races at one instant resolve as in a real cluster.
const latency = time.Millisecond

type client struct {
	*fake.Clientset
	core *core
}

// core wraps the calls that the controllers make; the others take no time.
type core struct {
	corev1.CoreV1Interface
	pace    *pace
	onEvent func(*v1.Event)
	rest    rest.Interface
}

// New makes a client with its own rate limiter, as each controller has in kube-controller-manager.
//
// A qps of 0 disables throttling; onEvent is called for each event that the controller creates; ended returns whether its
// process has ended: goroutines that a release leaves behind then exit at their next call.
func New(clientset *fake.Clientset, qps float32, burst int, onEvent func(*v1.Event), ended func() bool) kubernetes.Interface {
	p := &pace{ended: ended}
	if qps > 0 {
		p.limiter = flowcontrol.NewTokenBucketRateLimiter(qps, burst)
	}
	return &client{clientset, &core{clientset.CoreV1(), p, onEvent, eventsOverHTTP(p, onEvent)}}
}

func (c *client) CoreV1() corev1.CoreV1Interface { return c.core }

func (c *core) Nodes() corev1.NodeInterface { return &nodes{c.CoreV1Interface.Nodes(), c.pace} }

func (c *core) Pods(namespace string) corev1.PodInterface {
	return &pods{c.CoreV1Interface.Pods(namespace), c.pace}
}

func (c *core) RESTClient() rest.Interface { return c.rest }

type nodes struct {
	corev1.NodeInterface
	pace *pace
}

type pods struct {
	corev1.PodInterface
	pace *pace
}

// pace limits the rate of one client's calls.
type pace struct {
	limiter flowcontrol.RateLimiter
	ended   func() bool
}

// call waits for the duration of a call.
func (p *pace) call() {
	if p.ended() {
		runtime.Goexit()
	}
	if insideZoneQueue() {
		// The zone queue's lock is held, and goroutines that wait for a lock stop virtual time: so this takes a token if
		// there is one, and never sleeps.
		if p.limiter != nil {
			_ = p.limiter.TryAccept()
		}
		return
	}
	p.accept()
	time.Sleep(latency)
}

func (p *pace) accept() {
	if p.limiter != nil {
		p.limiter.Accept()
	}
}

func insideZoneQueue() bool {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers)])
	for {
		frame, more := frames.Next()
		if strings.HasSuffix(frame.Function, "(*RateLimitedTimedQueue).Try") {
			return true
		}
		if !more {
			return false
		}
	}
}
