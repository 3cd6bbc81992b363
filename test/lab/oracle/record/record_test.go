// Package record is the recorder. It is a test because virtual time is only available in tests.
package record

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

	"evictwatch.dev/oracle/play"
	"evictwatch.dev/oracle/scenario"
)

var (
	scenarios = flag.String("scenarios", "", "file of scenarios, one JSON object after the other")
	outcomes  = flag.String("outcomes", "", "file to write: what came of each run, one JSON object a line")
	runs      = flag.Int("runs", 1, "how often each scenario is played")
)

type line struct {
	Name string `json:"name"`
	play.Outcome
}

func TestRecord(t *testing.T) {
	if *scenarios == "" {
		t.Skip("nothing to record: no -scenarios")
	}
	in, err := os.Open(*scenarios)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(*outcomes)
	if err != nil {
		t.Fatal(err)
	}
	out := bufio.NewWriter(file)
	encoder := json.NewEncoder(out)
	for decoder := json.NewDecoder(in); ; {
		s := &scenario.Scenario{}
		if err := decoder.Decode(s); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		for range *runs {
			if err := encoder.Encode(line{s.Name, run(t, s)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
}

// run plays a scenario once. Goroutines that a release never ends are not an error after the scenario.
func run(t *testing.T, s *scenario.Scenario) (outcome play.Outcome) {
	isOver := false
	defer func() {
		if why := recover(); why != nil && !(isOver && strings.Contains(fmt.Sprint(why), "blocked goroutines remain")) {
			panic(why)
		}
	}()
	synctest.Test(t, func(*testing.T) {
		outcome = play.Scenario(s)
		isOver = true
	})
	return outcome
}
