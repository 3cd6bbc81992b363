// Package controllers runs a release's own node lifecycle and taint eviction controllers.
package controllers

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	corev1informers "k8s.io/client-go/informers/core/v1"
	corev1listers "k8s.io/client-go/listers/core/v1"
)

// passes reports each monitor pass, which is the only time when the controller lists all nodes.
type passes struct {
	corev1informers.NodeInformer
	onPass func()
}

func (p passes) Lister() corev1listers.NodeLister {
	return passLister{p.NodeInformer.Lister(), p.onPass}
}

type passLister struct {
	corev1listers.NodeLister
	onPass func()
}

func (p passLister) List(selector labels.Selector) ([]*v1.Node, error) {
	p.onPass()
	return p.NodeLister.List(selector)
}
