import {controllerManagerLease, type Lease} from '../../src/core/model/lease.ts';
import type {ConditionStatus, Node, NodeCondition} from '../../src/core/model/node.ts';
import type {Pod} from '../../src/core/model/pod.ts';
import type {Taint} from '../../src/core/model/taint.ts';
import type {Toleration} from '../../src/core/model/toleration.ts';
import {type Instant, minute, second} from '../../src/core/time/instant.ts';

/** The creation time of the builders' objects; tests begin at instant zero. */
export const longAgo: Instant = -60 * minute;

/** A condition with its last heartbeat at instant zero. */
export const aCondition = (
	type: string,
	status: ConditionStatus,
	fields: Partial<NodeCondition> = {},
): NodeCondition => ({type, status, lastHeartbeatTime: 0, lastTransitionTime: longAgo, ...fields});

/** A ready node without labels and taints. */
export const aNode = (name: string, fields: Partial<Node> = {}): Node => ({
	name,
	uid: `uid-of-${name}`,
	createdAt: longAgo,
	labels: {},
	unschedulable: false,
	taints: [],
	conditions: [aCondition('Ready', 'True')],
	...fields,
});

/** The labels that put a node into a zone of the region `eu`. */
export const inZone = (zone: string): Readonly<Record<string, string>> => ({
	'topology.kubernetes.io/region': 'eu',
	'topology.kubernetes.io/zone': zone,
});

/** The key of such a zone. */
export const keyOfZone = (zone: string): string => `eu:\0:${zone}`;

/** A pod of the namespace `shop` that runs on node n1 and tolerates nothing. */
export const aPod = (name: string, fields: Partial<Pod> = {}): Pod => ({
	namespace: 'shop',
	name,
	uid: `uid-of-${name}`,
	nodeName: 'n1',
	createdAt: longAgo,
	labels: {},
	tolerations: [],
	phase: 'Running',
	ready: 'True',
	isMirror: false,
	...fields,
});

/** A node's lease. */
export const aLease = (node: string, renewTime: Instant): Lease => ({
	namespace: 'kube-node-lease',
	name: node,
	holderIdentity: node,
	renewTime,
});

/** The controller manager's lease. */
export const aLeader = (renewTime: Instant, acquireTime: Instant, fields: Partial<Lease> = {}): Lease => ({
	...controllerManagerLease,
	...{holderIdentity: 'cp-1', leaseDuration: 15 * second, acquireTime, renewTime},
	...fields,
});

/** A NoExecute taint. */
export const aTaint = (key: string, fields: Partial<Taint> = {}): Taint => ({
	key,
	value: '',
	effect: 'NoExecute',
	...fields,
});

/** A toleration of every taint with this key: for a number of seconds, or forever. */
export const tolerates = (key: string, tolerationSeconds?: number): Toleration => ({
	key,
	operator: 'Exists',
	value: '',
	effect: 'NoExecute',
	...(tolerationSeconds === undefined ? {} : {tolerationSeconds}),
});
