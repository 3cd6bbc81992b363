package apiserver

import (
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var leases = leaseVersion.WithResource("leases")

// RenewLease renews a node's lease as its kubelet does, which also creates it.
func (s *Store) RenewLease(node string) {
	now, duration := metav1.NewMicroTime(time.Now()), int32(40)
	object, err := s.tracker().Get(leases, v1.NamespaceNodeLease, node)
	if err != nil {
		s.createLease(v1.NamespaceNodeLease, node, LeaseSpec{
			HolderIdentity:       &node,
			LeaseDurationSeconds: &duration,
			RenewTime:            &now,
		})
		return
	}
	lease := object.(*Lease).DeepCopy()
	lease.Spec.RenewTime = &now
	must(s.tracker().Update(leases, lease, lease.Namespace))
}

// WriteLease creates a lease or replaces it.
func (s *Store) WriteLease(namespace, name string, spec LeaseSpec) {
	if _, err := s.tracker().Get(leases, namespace, name); err != nil {
		s.createLease(namespace, name, spec)
		return
	}
	must(s.tracker().Update(leases, newLease(namespace, name, spec), namespace))
}

func (s *Store) createLease(namespace, name string, spec LeaseSpec) {
	must(s.tracker().Create(leases, newLease(namespace, name, spec), namespace))
}

func newLease(namespace, name string, spec LeaseSpec) *Lease {
	return &Lease{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Spec: spec}
}
