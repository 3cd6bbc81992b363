//go:build !v1.16 && !v1.32

package kubelet

import (
	"encoding/json"
	"sort"
	"time"

	"evictwatch.dev/oracle/recording"
)

// event is one line of a trace, without its empty fields.
type event struct {
	// At is in milliseconds since the manager's start.
	At           int64             `json:"at"`
	Kind         string            `json:"kind"`
	Pod          string            `json:"pod,omitempty"`
	Pods         []string          `json:"pods,omitempty"`
	Signal       string            `json:"signal,omitempty"`
	Resource     string            `json:"resource,omitempty"`
	GraceSeconds *int64            `json:"graceSeconds,omitempty"`
	Reason       string            `json:"reason,omitempty"`
	Message      string            `json:"message,omitempty"`
	Annotations  map[string]string `json:"annotations,omitempty"`
	Disruption   *bool             `json:"disruptionTarget,omitempty"`
	Condition    string            `json:"condition,omitempty"`
	Status       *bool             `json:"status,omitempty"`
	Op           string            `json:"op,omitempty"`
	Admit        *bool             `json:"admit,omitempty"`
	Error        string            `json:"error,omitempty"`
}

// threshold is a met threshold, as the manager logs it.
type threshold struct {
	Signal    string `json:"signal"`
	Threshold string `json:"threshold"`
	Available string `json:"available"`
}

type stages map[string][]threshold

// pass is a pass whose stages differ from the previous pass'.
type pass struct {
	At     int64  `json:"at"`
	Stages stages `json:"stages"`
}

// outcome is the result of a run.
type outcome struct {
	Trace      []event `json:"trace"`
	Passes     []int64 `json:"passes"`
	Debug      []pass  `json:"debug"`
	ParseError string  `json:"parseError,omitempty"`
}

// recorder writes an outcome. One of the manager's goroutines and the probes write to it, never concurrently.
type recorder struct {
	outcome
	start  time.Time
	stages stages
	last   string
	inPass bool
}

func newRecorder() *recorder {
	return &recorder{
		outcome: outcome{Trace: []event{}, Passes: []int64{}, Debug: []pass{}},
		start:   time.Now(),
		stages:  stages{},
	}
}

func (r *recorder) now() int64 { return time.Since(r.start).Milliseconds() }

// add appends an event with the current time, and returns its index.
func (r *recorder) add(e event) int {
	e.At = r.now()
	r.Trace = append(r.Trace, e)
	return len(r.Trace) - 1
}

func (r *recorder) beginPass() {
	r.endPass()
	r.inPass = true
	r.Passes = append(r.Passes, r.now())
}

// endPass writes the pass' stages, if they changed.
func (r *recorder) endPass() {
	if !r.inPass {
		return
	}
	r.inPass = false
	for _, met := range r.stages {
		sort.Slice(met, func(i, j int) bool {
			if met[i].Signal != met[j].Signal {
				return met[i].Signal < met[j].Signal
			}
			return met[i].Threshold < met[j].Threshold
		})
	}
	text, err := json.Marshal(r.stages)
	must(err)
	if string(text) != r.last {
		r.last = string(text)
		r.Debug = append(r.Debug, pass{r.Passes[len(r.Passes)-1], r.stages})
	}
	r.stages = stages{}
}

var must = recording.Must
