//go:build !v1.16

package client

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/kubernetes/pkg/controller/nodelifecycle/scheduler"
)

func elapsed(t *testing.T, qps float32, burst, calls int) (took time.Duration) {
	synctest.Test(t, func(t *testing.T) {
		nodes := New(fake.NewSimpleClientset(), qps, burst, func(*v1.Event) {}, running).CoreV1().Nodes()
		start := time.Now()
		for range calls {
			_, _ = nodes.Get(t.Context(), "a", metav1.GetOptions{})
		}
		took = time.Since(start)
	})
	return took
}

func TestACallTakesItsTime(t *testing.T) {
	if took := elapsed(t, 0, 0, 5); took != 5*time.Millisecond {
		t.Fatalf("five calls took %v", took)
	}
}

func TestAThrottledClientWaits(t *testing.T) {
	if took := elapsed(t, 10, 2, 12); took < 900*time.Millisecond || took > 1100*time.Millisecond {
		t.Fatalf("ten calls beyond the burst, at ten a second, took %v", took)
	}
}

func TestACallWithinTheZoneQueueTakesNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		nodes := New(fake.NewSimpleClientset(), 0, 0, func(*v1.Event) {}, running).CoreV1().Nodes()
		queue := scheduler.NewRateLimitedTimedQueue(flowcontrol.NewFakeAlwaysRateLimiter())
		queue.Add("a", "uid")
		start, called := time.Now(), false
		queue.Try(logr.Discard(), func(scheduler.TimedValue) (bool, time.Duration) {
			called = true
			_, _ = nodes.Get(t.Context(), "a", metav1.GetOptions{})
			return true, 0
		})
		if took := time.Since(start); !called || took != 0 {
			t.Fatalf("called %v, took %v", called, took)
		}
	})
}

func running() bool { return false }
