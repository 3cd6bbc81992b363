package apiserver

import (
	"strconv"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var leases = leaseVersion.WithResource("leases")

// RenewLease renews a node's lease as its kubelet does, or creates it.
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
	s.updateLease(lease)
}

// TouchLease writes a node's lease without renewing it, for example as a user who labels it.
func (s *Store) TouchLease(node string) {
	object, err := s.tracker().Get(leases, v1.NamespaceNodeLease, node)
	must(err)
	s.updateLease(object.(*Lease).DeepCopy())
}

// WriteLease creates a lease or replaces it.
func (s *Store) WriteLease(namespace, name string, spec LeaseSpec) {
	if _, err := s.tracker().Get(leases, namespace, name); err != nil {
		s.createLease(namespace, name, spec)
		return
	}
	s.updateLease(newLease(namespace, name, spec))
}

func (s *Store) createLease(namespace, name string, spec LeaseSpec) {
	must(s.tracker().Create(leases, s.versioned(newLease(namespace, name, spec)), namespace))
}

func (s *Store) updateLease(lease *Lease) {
	must(s.tracker().Update(leases, s.versioned(lease), lease.Namespace))
}

// versioned gives a lease the next resource version, if the scenario has steps that need it.
func (s *Store) versioned(lease *Lease) *Lease {
	if s.VersionsLeases {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.leaseVersion++
		lease.ResourceVersion = strconv.Itoa(s.leaseVersion)
	}
	return lease
}

func newLease(namespace, name string, spec LeaseSpec) *Lease {
	return &Lease{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Spec: spec}
}
