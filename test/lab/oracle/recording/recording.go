// Package recording plays scenarios from a file, and writes what came of each run. Recorders are tests because virtual time is only
// available in tests.
package recording

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

// Record plays each scenario of the file as often as is wanted, and writes a line for each run.
func Record[Scenario, Line any](t *testing.T, play func(*Scenario) Line) {
	if *scenarios == "" {
		t.Skip("nothing to record: no -scenarios")
	}
	in, err := os.Open(*scenarios)
	Must(err)
	file, err := os.Create(*outcomes)
	Must(err)
	out := bufio.NewWriter(file)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for decoder := json.NewDecoder(in); ; {
		scenario := new(Scenario)
		if err := decoder.Decode(scenario); err == io.EOF {
			break
		} else {
			Must(err)
		}
		for range *runs {
			Must(encoder.Encode(play(scenario)))
		}
	}
	Must(out.Flush())
}

// InVirtualTime plays once. Goroutines that a release or a client library never ends are not an error after that.
func InVirtualTime[Outcome any](t *testing.T, play func() Outcome) (outcome Outcome) {
	isOver := false
	defer func() {
		if why := recover(); why != nil && !(isOver && strings.Contains(fmt.Sprint(why), "blocked goroutines remain")) {
			panic(why)
		}
	}()
	synctest.Test(t, func(*testing.T) {
		outcome = play()
		isOver = true
	})
	return outcome
}

// Must ends a recording that cannot go on.
func Must(err error) {
	if err != nil {
		panic(err)
	}
}
