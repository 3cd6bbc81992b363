//go:build !v1.16

package apiserver

import "k8s.io/apimachinery/pkg/watch"

// listsByName is set because the fake's own order is random.
const listsByName = true

// The fake watchers panic when a burst fills them.
func init() { watch.DefaultChanSize = 1 << 14 }
