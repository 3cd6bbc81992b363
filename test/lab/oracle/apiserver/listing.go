package apiserver

import (
	"sort"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// Listing is a list of everything at one instant.
type Listing struct {
	// At is in milliseconds since the controllers' start.
	At     float64   `json:"at"`
	Now    time.Time `json:"now"`
	Nodes  []v1.Node `json:"nodes"`
	Leases []Lease   `json:"leases"`
	Pods   []v1.Pod  `json:"pods"`
}

// List lists everything, by namespace and name, or in order of creation for vectors that were recorded so.
func (s *Store) List(at float64) Listing {
	nodeList, err := s.tracker().List(nodes, v1.SchemeGroupVersion.WithKind("Node"), "")
	must(err)
	leaseList, err := s.tracker().List(leases, leaseVersion.WithKind("Lease"), "")
	must(err)
	podList, err := s.tracker().List(pods, v1.SchemeGroupVersion.WithKind("Pod"), "")
	must(err)
	listing := Listing{
		At:  at,
		Now: time.Now().UTC(),
		// As a typed client returns them: nil if there are none.
		Nodes:  append([]v1.Node(nil), nodeList.(*v1.NodeList).Items...),
		Leases: append([]Lease(nil), leaseList.(*LeaseList).Items...),
		Pods:   append([]v1.Pod(nil), podList.(*v1.PodList).Items...),
	}
	if listsByName {
		sort.Slice(listing.Nodes, func(i, j int) bool {
			return isBefore(listing.Nodes[i].ObjectMeta, listing.Nodes[j].ObjectMeta)
		})
		sort.Slice(listing.Leases, func(i, j int) bool {
			return isBefore(listing.Leases[i].ObjectMeta, listing.Leases[j].ObjectMeta)
		})
		sort.Slice(listing.Pods, func(i, j int) bool {
			return isBefore(listing.Pods[i].ObjectMeta, listing.Pods[j].ObjectMeta)
		})
	}
	return listing
}

func isBefore(a, b metav1.ObjectMeta) bool {
	if a.Namespace != b.Namespace {
		return a.Namespace < b.Namespace
	}
	return a.Name < b.Name
}

// Watches opens a watch of each kind, from now on.
func (s *Store) Watches() map[string]watch.Interface {
	opened := map[string]watch.Interface{}
	var err error
	opened["Node"], err = s.tracker().Watch(nodes, "")
	must(err)
	opened["Pod"], err = s.tracker().Watch(pods, "")
	must(err)
	opened["Lease"], err = s.tracker().Watch(leases, "")
	must(err)
	return opened
}
