package observe

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// Event is an event of a client's watch.
type Event struct {
	At     float64        `json:"at"`
	Type   string         `json:"type"`
	Kind   string         `json:"kind"`
	Object runtime.Object `json:"object"`
}

// Stream records what watches deliver while it is open.
type Stream struct {
	log    *Log
	mu     sync.Mutex
	isOpen bool
	events []Event
}

// NewStream makes a closed stream with the clock of a log.
func NewStream(log *Log) *Stream { return &Stream{log: log} }

// Follow reads a watch of objects of a kind until the context ends.
func (s *Stream) Follow(ctx context.Context, kind string, from watch.Interface) {
	defer from.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case event := <-from.ResultChan():
			s.take(kind, event)
		}
	}
}

func (s *Stream) take(kind string, event watch.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isOpen {
		s.events = append(s.events, Event{s.log.Now(), string(event.Type), kind, event.Object})
	}
}

// SetOpen opens or closes the stream.
func (s *Stream) SetOpen(isOpen bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.isOpen = isOpen
}

// Events are the events that came while it was open.
func (s *Stream) Events() []Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.events
}
