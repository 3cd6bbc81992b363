//go:build karpenter || machineapi || clusterapi

// Package repair records node repair: Karpenter's node.health controller, or the MachineHealthCheck controller of OpenShift
// or of Cluster API.
package repair

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
)

var (
	scenarios = flag.String("scenarios", "", "file of scenarios, one JSON object after the other")
	outcomes  = flag.String("outcomes", "", "file to write: what came of each run, one JSON object a line")
	runs      = flag.Int("runs", 1, "how often each scenario is played")
)

type line struct {
	Name  string   `json:"name"`
	Trace []action `json:"trace"`
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
			must(encoder.Encode(line{s.Name, run(t, s)}))
		}
	}
	must(out.Flush())
}

// run plays a scenario once. Goroutines that a client library never ends are not an error after the scenario.
func run(t *testing.T, s *scenario) (trace []action) {
	isOver := false
	defer func() {
		if why := recover(); why != nil && !(isOver && strings.Contains(fmt.Sprint(why), "blocked goroutines remain")) {
			panic(why)
		}
	}()
	synctest.Test(t, func(*testing.T) {
		trace = play(s)
		isOver = true
	})
	return trace
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
