/** How often a client may call the API server; a rate of zero is no limit. */
export type ClientLimit = {readonly qps: number; readonly burst: number};

/** client-go's defaults for values that are unset or zero. */
const [defaultQps, defaultBurst] = [5, 10];

/**
 * What `--kube-api-qps` and `--kube-api-burst` mean. A qps of zero is client-go's default, as is then a burst of
 * zero; a negative qps is no limit. Undefined if the controller manager would not start: a positive rate needs a
 * burst.
 *
 * @quirk kube-api-qps=0 means 5 calls a second
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/kubernetes/clientset.go NewForConfigAndClient
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/rest/config.go RESTClientForConfigAndClient
 */
export function clientLimit(qps: number, burst: number): ClientLimit | undefined {
	if (qps < 0) return {qps: 0, burst: Math.max(burst, 0)};
	if (qps === 0) return {qps: defaultQps, burst: burst === 0 ? defaultBurst : burst};
	return burst > 0 ? {qps, burst} : undefined;
}
