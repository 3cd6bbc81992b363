//go:build v1.16

package play

import (
	"context"

	"evictwatch.dev/oracle/apiserver"
)

// leader does nothing: this release's leader writes an annotation of an Endpoints object, which is not in vectors.
type leader struct{ store *apiserver.Store }

func (*leader) lead(context.Context) (wait func()) { return func() {} }
