import {release} from 'node:os';

type Measured = {readonly date: string; readonly version: string};

/** How the numbers were measured, and what they do not show. */
export function method(results: readonly Measured[], missing: readonly string[]): string {
	const dates = [...new Set(results.map(({date}) => date))].sort();
	const versions = [...new Set(results.map(({version}) => version))].sort();
	return `Written by \`npm run lab -- accuracy\`; do not edit. Measured ${dates.join(', ')} with Kubernetes
${versions.join(', ')}, Node.js ${process.version}, Linux ${release()}, on a machine of two cores that others used as well.

Each outage has its own etcd, kube-apiserver and kube-controller-manager on loopback, nodes whose kubelets only send
heartbeats and end pods, and six pods a node: two with the tolerations that the API server adds (40 s here instead of
300, so that runs are short), and others that tolerate 20 s, 60 s, for ever or nothing. The controller manager has its
defaults unless flags are named; those are told to the forecaster. The cluster settles for 25 to 30 s, watched by the
project's own client, and then the script does its worst.

- **cold**: a fresh look, and a forecast from that alone, every two seconds and right after each NoExecute taint.
  **warm**: a forecast from the watch, at the same instants and every quarter of a second between them. What arrived is
  recorded with its arrival, and the forecasts are made from the recording when the outage is over, each from what had
  arrived by its instant.
- **Truth** is the arrival of the deletion at a recorder of its own connection. **Inside**: within the range ±1 s. A pod
  that goes without having been foretold counts as outside. Widths are those of the ranges, without the tolerance.
- **Not held against a forecast**: what the script does after it; a node's death until 20.5 s after its last renewal,
  for it and the other nodes of its zone (no client can see it before); a killed controller manager until its
  successor leads; other steps for one second.
- **30 s before** and the like: the look nearest to that, at most 1.6 s off. A pod that tolerates its taint for less
  has no look so long after it, or none at all.
- **False alarms** are pods that any look, at whatever time, said to go by an instant, and that stayed.
- **The blog formula**: last renewal + grace period + tolerationSeconds or, once there is a taint, its timeAdded +
  tolerationSeconds; right when within 5 s, made from the same looks. Before its node is 20 s silent it says nothing.

[Node pressure, and a real kubelet that falls silent](accuracy-kubelet.md) have a page of their own. Not measured: other versions of Kubernetes, tolerations of 300 s, clusters whose clocks differ, the
time of the k-th node of a pass (a forecast gives each node its range, not the k-th)${missing.length > 0 ? `, and the outages ${missing.join(', ')}` : ''}.`;
}
