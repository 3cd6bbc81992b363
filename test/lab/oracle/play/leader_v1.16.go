//go:build v1.16

package play

import (
	"context"

	"evictwatch.dev/oracle/apiserver"
)

// leader does nothing: this release's leader writes an annotation of an Endpoints object, which vectors leave out.
type leader struct{ store *apiserver.Store }

func (*leader) lead(context.Context) (wait func()) { return func() {} }
