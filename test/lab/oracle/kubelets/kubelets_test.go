package kubelets

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"evictwatch.dev/oracle/apiserver"
	"evictwatch.dev/oracle/scenario"
)

func TestAKubeletRenewsUntilItIsStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithCancel(t.Context())
		store := apiserver.NewStore()
		fleet := NewFleet(store, 10*time.Second, time.Hour)
		start := time.Now()
		node := scenario.Node{Name: "a"}
		store.AddNode(node.Object(start))
		fleet.Start(ctx, node, 3*time.Second, false)
		renewedAt := func() time.Duration {
			synctest.Wait()
			return store.List(0).Leases[0].Spec.RenewTime.Sub(start)
		}
		time.Sleep(25 * time.Second)
		if at := renewedAt(); at != 23*time.Second {
			t.Fatalf("renewed last at %v", at)
		}
		fleet.Stop("a")
		time.Sleep(time.Minute)
		if at := renewedAt(); at != 23*time.Second {
			t.Fatalf("stopped, and renewed at %v", at)
		}
		end()
		fleet.Wait()
	})
}
