package controllers

import (
	"reflect"
	"unsafe"

	"k8s.io/client-go/util/flowcontrol"
)

// ZoneView is the controller's own view of a zone.
type ZoneView struct {
	State    string  `json:"state"`
	Size     int     `json:"size"`
	NotReady int     `json:"notReady"`
	QPS      float32 `json:"qps"`
	Queue    int     `json:"queue"`
}

// Lifecycle is a running node lifecycle controller.
type Lifecycle struct{ controller any }

// Zones reads the controller's unexported fields, by the key of each zone. Every goroutine must be idle.
func (l *Lifecycle) Zones() map[string]ZoneView {
	zones := map[string]ZoneView{}
	controller := reflect.ValueOf(l.controller).Elem()
	states := field(controller, "zoneStates")
	for _, key := range states.MapKeys() {
		zone := ZoneView{State: states.MapIndex(key).String()}
		if queue := zoneQueue(controller, key); queue.IsValid() {
			zone.QPS = field(queue.Elem(), "limiter").Interface().(flowcontrol.RateLimiter).QPS()
			zone.Queue = field(field(queue.Elem(), "queue"), "queue").Len()
		}
		zones[key.String()] = zone
	}
	countNodes(zones)
	return zones
}

// zoneQueue is the zone's queue of nodes to taint, or, without taint-based evictions, of nodes to evict.
func zoneQueue(controller, zone reflect.Value) reflect.Value {
	queue := field(controller, "zoneNoExecuteTainter").MapIndex(zone)
	if !queue.IsValid() && controller.FieldByName("zonePodEvictor").IsValid() {
		return field(controller, "zonePodEvictor").MapIndex(zone)
	}
	return queue
}

func field(of reflect.Value, name string) reflect.Value {
	f := of.FieldByName(name)
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}
