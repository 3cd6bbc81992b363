//go:build !v1.16

package apiserver

import "k8s.io/apimachinery/pkg/watch"

// The fake watchers panic when a burst fills them.
func init() { watch.DefaultChanSize = 1 << 14 }
