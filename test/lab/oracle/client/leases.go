//go:build !v1.16

package client

import (
	"context"

	v1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationv1 "k8s.io/client-go/kubernetes/typed/coordination/v1"
)

// CoordinationV1 wraps the call with which the controllers get a lease directly (since v1.37).
func (c *client) CoordinationV1() coordinationv1.CoordinationV1Interface {
	return &coordination{c.Clientset.CoordinationV1(), c.core.pace}
}

type coordination struct {
	coordinationv1.CoordinationV1Interface
	pace *pace
}

func (c *coordination) Leases(namespace string) coordinationv1.LeaseInterface {
	return &leases{c.CoordinationV1Interface.Leases(namespace), c.pace}
}

type leases struct {
	coordinationv1.LeaseInterface
	pace *pace
}

func (l *leases) Get(ctx context.Context, name string, options metav1.GetOptions) (*v1.Lease, error) {
	l.pace.call()
	return l.LeaseInterface.Get(ctx, name, options)
}
