import type {ClusterSnapshot} from '../../../../src/core/model/clusterSnapshot.ts';
import type {Lease} from '../../../../src/core/model/lease.ts';
import type {Node} from '../../../../src/core/model/node.ts';
import type {Pod} from '../../../../src/core/model/pod.ts';
import type {Toleration} from '../../../../src/core/model/toleration.ts';
import {type Instant, minute, second} from '../../../../src/core/time/instant.ts';

export const nodeCount = 5000;
const podsPerNode = 12;

const tolerations: readonly Toleration[] = ['not-ready', 'unreachable'].map((key) => ({
	key: `node.kubernetes.io/${key}`,
	operator: 'Exists',
	value: '',
	effect: 'NoExecute',
	tolerationSeconds: 300,
}));

/** A cluster, by default of 5,000 nodes, a third of which just became silent, with twelve pods on each of these. */
export function deadZone(now: Instant, length = nodeCount): ClusterSnapshot {
	const names = Array.from(
		{length},
		(_, index) => `ip-10-0-${index >> 8}-${index & 255}.eu-west-1.compute.internal`,
	);
	const zoneOf = (index: number) => 'abc'[index % 3] ?? 'a';
	const isDead = (index: number) => zoneOf(index) === 'a';
	return {
		...{observedAt: now, source: 'cluster', problems: []},
		nodes: names.map((name, index): Node => {
			const times = {lastHeartbeatTime: now - 4 * minute, lastTransitionTime: now - 600 * minute};
			return {
				...{name, uid: name, createdAt: now - 600 * minute, unschedulable: false, taints: []},
				labels: {'topology.kubernetes.io/region': 'eu', 'topology.kubernetes.io/zone': zoneOf(index)},
				conditions: [{type: 'Ready', status: 'True', ...times}],
			};
		}),
		leases: names.map(
			(name, index): Lease => ({
				...{namespace: 'kube-node-lease', name},
				renewTime: isDead(index) ? now - 25 * second - (index % 100) * 100 : now - (index % 100) * 100,
			}),
		),
		pods: names.flatMap((name, index) =>
			Array.from(
				{length: podsPerNode},
				(_, pod): Pod => ({
					...{
						namespace: `team-${pod}`,
						name: `web-${pod}-7d9f5c8b6d-${index}`,
						uid: `${index}-${pod}`,
						nodeName: name,
					},
					...{createdAt: now - 500 * minute, labels: {'pod-template-hash': '7d9f5c8b6d'}, tolerations},
					...{phase: 'Running', ready: 'True', isMirror: false, priority: 0},
					owner: {kind: 'ReplicaSet', name: `web-${pod}-7d9f5c8b6d`, uid: `rs-${pod}`},
				}),
			),
		),
	};
}
