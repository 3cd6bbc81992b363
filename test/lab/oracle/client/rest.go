package client

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"

	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	restfake "k8s.io/client-go/rest/fake"
)

// eventsOverHTTP is for controllers that build their own events client from the REST client. It answers each request with
// its body.
func eventsOverHTTP(p *pace, onEvent func(*v1.Event)) rest.Interface {
	return &restfake.RESTClient{
		NegotiatedSerializer: scheme.Codecs.WithoutConversion(),
		GroupVersion:         v1.SchemeGroupVersion,
		VersionedAPIPath:     "/api/v1",
		Client: restfake.CreateHTTPClient(func(request *http.Request) (*http.Response, error) {
			p.accept()
			body, err := io.ReadAll(request.Body)
			if err != nil {
				return nil, err
			}
			event := &v1.Event{}
			if json.Unmarshal(body, event) == nil {
				onEvent(event)
			}
			return &http.Response{
				StatusCode: http.StatusCreated,
				Header:     http.Header{"Content-Type": []string{"application/json"}},
				Body:       io.NopCloser(bytes.NewReader(body)),
			}, nil
		}),
	}
}
