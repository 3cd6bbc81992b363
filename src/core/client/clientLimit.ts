/** How often a client may call the API server; at a rate of zero nothing limits it. */
export type ClientLimit = {readonly qps: number; readonly burst: number};

/** What client-go takes where it is told nothing, or zero. */
const [defaultQps, defaultBurst] = [5, 10];

/**
 * What `--kube-api-qps` and `--kube-api-burst` mean: a rate of zero is not none, but the library's own default, as is a
 * burst of zero; a negative rate is no limit. Undefined where the controller manager does not start: a rate needs a burst.
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
