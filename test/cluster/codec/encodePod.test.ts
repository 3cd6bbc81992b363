import {expect, test} from 'vitest';
import {decodePod, PodParts} from '../../../src/cluster/codec/decodePod.ts';
import {encodePod} from '../../../src/cluster/codec/encodeObject.ts';
import type {Pod} from '../../../src/core/model/pod.ts';

const at = Date.UTC(2026, 0, 31, 14);
const plain: Pod = {
	namespace: 'shop',
	name: 'cart-0',
	uid: 'u1',
	nodeName: 'n1',
	createdAt: at,
	labels: {app: 'cart'},
	tolerations: [],
	phase: 'Running',
	isMirror: false,
};

const extended = {name: 'cart-0-extended-resources-8k2vx', isGenerated: true, isExtended: true} as const;

/** Of each field a pod that has it, so that a new field fails to compile here until it has one. */
const withField: {readonly [Field in keyof Required<Pod>]: Partial<Pod>} = {
	namespace: {namespace: 'other'},
	name: {name: 'other'},
	uid: {uid: 'u2'},
	nodeName: {nodeName: ''},
	createdAt: {createdAt: at - 1000},
	labels: {labels: {}},
	tolerations: {
		tolerations: [{key: 'a', operator: 'Exists', value: '', effect: 'NoExecute', tolerationSeconds: 20}],
	},
	phase: {phase: 'Failed'},
	ready: {ready: 'True', readySince: at},
	readyChangedAt: {ready: 'Unknown', readyChangedAt: at},
	readySince: {ready: 'True', readySince: at},
	markedNotReadyAt: {ready: 'False', readyChangedAt: at, markedNotReadyAt: at},
	scheduledAt: {scheduledAt: at},
	deletionTimestamp: {deletionTimestamp: at},
	deletionGracePeriodSeconds: {deletionTimestamp: at, deletionGracePeriodSeconds: 0},
	gracePeriodSeconds: {gracePeriodSeconds: 0},
	finalizers: {finalizers: ['example.org/held']},
	completionIndex: {completionIndex: 0},
	indexFailures: {completionIndex: 3, indexFailures: 2},
	owner: {owner: {kind: 'Job', name: 'nightly', uid: 'u3'}},
	priority: {priority: 1000},
	claims: {claims: [{name: 'gpu', isGenerated: false}, extended]},
	hasEmptyDir: {hasEmptyDir: true},
	isDisruptionTarget: {isDisruptionTarget: true},
	evictedAt: {isDisruptionTarget: true, evictedAt: at},
	deviceEvictedAt: {isDisruptionTarget: true, deviceEvictedAt: at},
	disruptedBy: {isDisruptionTarget: true, disruptedBy: 'EvictionByEvictionAPI'},
	disruptedAt: {isDisruptionTarget: true, disruptedBy: 'EvictionByEvictionAPI', disruptedAt: at},
	isCollected: {phase: 'Failed', isDisruptionTarget: true, isCollected: true},
	isShutDown: {phase: 'Failed', isShutDown: true},
	isNodeLost: {isNodeLost: true},
	isMirror: {isMirror: true},
};

const byReasonAlone: Partial<Pod> = {phase: 'Failed', disruptedBy: 'TerminationByKubelet'};

test.for([
	...Object.entries(withField),
	['disruptedBy without a condition', byReasonAlone] as const,
	['claims of extended resources alone', {claims: [extended]}] as const,
])('a recording keeps the field %s of a pod', ([, fields]) => {
	const pod = {...plain, ...fields};
	expect(decodePod(encodePod(pod), new PodParts(), () => undefined)).toEqual(pod);
});

test.for([
	['The node was low on resource: ephemeral-storage. ', 'TerminationByKubelet'],
	['Pod ephemeral local storage usage exceeds the total limit of containers 1Gi. ', 'TerminationByKubelet'],
	['Pod was rejected: The node had condition: [DiskPressure]. ', undefined],
	['Pod The node had condition: [DiskPressure]. ', undefined],
] as const)('of the reason Evicted, the message tells who ran and who was refused: %s', ([message, by]) => {
	const {metadata, spec} = encodePod(plain);
	const pod = {metadata, spec, status: {phase: 'Failed', reason: 'Evicted', message}};
	const decoded = decodePod(pod, new PodParts(), () => undefined);
	expect(decoded?.disruptedBy).toBe(by);
	expect(decodePod(decoded && encodePod(decoded), new PodParts(), () => undefined)).toEqual(decoded);
});
