//go:build !v1.16 && !v1.32

package kubelet

import (
	"bufio"
	"encoding/json"
	"flag"
	"io"
	"math/rand"
	"os"
	"testing"
)

var (
	scenarios = flag.String("scenarios", "", "file of scenarios, one JSON object after the other")
	outcomes  = flag.String("outcomes", "", "file to write: what came of each run, one JSON object a line")
	runs      = flag.Int("runs", 1, "how often each scenario is played")
)

// line has a run in the scenario's order of pods, and one in another, because a kubelet's own order is random.
type line struct {
	Name string `json:"name"`
	outcome
	Shuffled outcome `json:"shuffled"`
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
	encoder.SetEscapeHTML(false)
	for decoder := json.NewDecoder(in); ; {
		s := &scenario{}
		if err := decoder.Decode(s); err == io.EOF {
			break
		} else {
			must(err)
		}
		order := make([]int, len(s.Pods))
		for i := range order {
			order[i] = i
		}
		for range *runs {
			must(encoder.Encode(line{s.Name, play(t, s, order), play(t, s, rand.Perm(len(order)))}))
		}
	}
	must(out.Flush())
}
