//go:build !v1.16 && !v1.32

// Package workloads records what the controllers of workloads do with their pods.
package workloads

import (
	"bufio"
	"encoding/json"
	"flag"
	"io"
	"os"
	"testing"
	"testing/synctest"
)

var (
	scenarios = flag.String("scenarios", "", "file of scenarios, one JSON object after the other")
	outcomes  = flag.String("outcomes", "", "file to write: what came of each run, one JSON object a line")
	runs      = flag.Int("runs", 1, "how often each scenario is played")
)

type line struct {
	Name string `json:"name"`
	outcome
}

func TestRecord(t *testing.T) {
	if *scenarios == "" {
		t.Skip("nothing to record: no -scenarios")
	}
	in, err := os.Open(*scenarios)
	must(err)
	file, err := os.Create(*outcomes)
	must(err)
	out := bufio.NewWriter(file)
	encoder := json.NewEncoder(out)
	for decoder := json.NewDecoder(in); ; {
		s := &scenario{}
		if err := decoder.Decode(s); err == io.EOF {
			break
		} else {
			must(err)
		}
		for range *runs {
			synctest.Test(t, func(*testing.T) { must(encoder.Encode(line{s.Name, play(s)})) })
		}
	}
	must(out.Flush())
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
