//go:build !v1.16

package play

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"evictwatch.dev/oracle/apiserver"
)

const leaderRenewal = 2 * time.Second

// leader maintains kube-controller-manager's leader election lease.
type leader struct {
	store *apiserver.Store
	terms int32
}

// lead acquires the lease for another process and renews it until the context ends; wait waits for that.
func (l *leader) lead(ctx context.Context) (wait func()) {
	l.terms++
	acquired := metav1.NewMicroTime(time.Now())
	holder := fmt.Sprintf("control-plane-%d_uid", l.terms)
	duration, transitions := int32(15), l.terms-1
	renew := func() {
		now := metav1.NewMicroTime(time.Now())
		l.store.WriteLease("kube-system", "kube-controller-manager", apiserver.LeaseSpec{
			HolderIdentity:       &holder,
			LeaseDurationSeconds: &duration,
			AcquireTime:          &acquired,
			RenewTime:            &now,
			LeaseTransitions:     &transitions,
		})
	}
	renew()
	done := make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(leaderRenewal)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				renew()
			}
		}
	}()
	return func() { <-done }
}
