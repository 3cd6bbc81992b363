//go:build !v1.16

package apiserver

import coordination "k8s.io/api/coordination/v1"

// The version of leases that the controllers of the release read.
type (
	Lease     = coordination.Lease
	LeaseList = coordination.LeaseList
	LeaseSpec = coordination.LeaseSpec
)

var leaseVersion = coordination.SchemeGroupVersion
