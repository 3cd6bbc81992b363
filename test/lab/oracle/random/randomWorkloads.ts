import type {RawObject, WorkloadScenario, WorkloadStep} from '../../../core/workloads/vector.ts';
import {Draw} from './draw.ts';

const labels = {app: 'w'};
const jobTracking = 'batch.kubernetes.io/job-tracking';
const nodes = ['alive', 'dead'] as const;
const kinds = ['ReplicaSet', 'StatefulSet', 'StatefulSet', 'DaemonSet', 'Job', 'Job', 'Job'] as const;

type Workload = {
	readonly kind: 'ReplicaSet' | 'StatefulSet' | 'DaemonSet' | 'Job';
	readonly objects: readonly RawObject[];
	/** The names of its pods, those that it will make too, where that is known. */
	readonly pods: readonly string[];
	/** Steps that only this kind has. */
	readonly steps: readonly Omit<WorkloadStep, 'at'>[];
};

/** Draws a workload whose pods are evicted, fail, hang on a dead node, and go by force. */
export function randomWorkloads(seed: number): WorkloadScenario {
	const draw = new Draw(seed);
	const kind = draw.of<Workload['kind']>(kinds);
	const {objects, pods, steps} = workloads[kind](draw);
	const happenings: WorkloadStep[] = [];
	let at = 5.3;
	for (let left = 2 + draw.index(5); left > 0; left -= 1) {
		happenings.push({
			at,
			...(steps.length > 0 && draw.oneIn(3) ? one(draw, steps) : happening(draw, kind, pods)),
		});
		at += 8 + draw.index(25);
	}
	const budget = {
		kind: 'PodDisruptionBudget',
		metadata: {name: 'budget', namespace: 'shop', uid: 'budget'},
		spec: {minAvailable: 1, selector: {matchLabels: labels}},
	};
	return {
		name: `workloads-${seed}`,
		deadNodes: ['dead'],
		readyAfter: draw.oneIn(8) ? -1 : 2,
		objects: [...objects, ...(draw.oneIn(3) ? [budget] : [])],
		steps: happenings,
		until: Math.ceil(at) + 60,
	};
}

const one = <T>(draw: Draw, of: readonly T[]): T => of[draw.index(of.length)] as T;

function happening(draw: Draw, kind: Workload['kind'], pods: readonly string[]): Omit<WorkloadStep, 'at'> {
	const pod = one(draw, pods);
	switch (draw.index(kind === 'Job' ? 13 : 12)) {
		case 0:
		case 5:
			return {fail: pod, exitCode: draw.of([1, 42, 137])};
		case 1:
			return {unready: pod};
		case 2:
			return {ready: pod};
		case 3:
			return {force: pod};
		case 4:
			return {release: pod};
		case 12:
			return {succeed: pod};
		default:
			return {evict: pod};
	}
}

const workloads: Readonly<Record<Workload['kind'], (draw: Draw) => Workload>> = {
	ReplicaSet: (draw) => {
		const replicas = draw.index(5);
		const pods = Array.from({length: replicas}, (_, index) => podOf(draw, `w-${index}`, 'ReplicaSet'));
		const spec = {replicas, selector: {matchLabels: labels}, template: templateOf()};
		return {
			kind: 'ReplicaSet',
			objects: [objectOf('ReplicaSet', spec), ...pods],
			pods: ['w-0', 'w-1', 'w-2', 'w-c1'],
			steps: [],
		};
	},
	StatefulSet: (draw) => {
		const replicas = 1 + draw.index(4);
		const start = draw.oneIn(4) ? 2 : 0;
		// Some ordinals are missing, some are not wanted.
		const ordinals = Array.from({length: replicas + 1}, (_, index) => start + index).filter(
			(ordinal) => draw.index(3) > 0 && (ordinal < start + replicas || draw.oneIn(3)),
		);
		const spec = {
			replicas,
			serviceName: 'w',
			podManagementPolicy: draw.of(['OrderedReady', 'OrderedReady', 'Parallel']),
			updateStrategy: {type: 'OnDelete'},
			...(start > 0 && {ordinals: {start}}),
			selector: {matchLabels: labels},
			template: templateOf(),
		};
		return {
			kind: 'StatefulSet',
			objects: [
				objectOf('StatefulSet', spec),
				...ordinals.map((ordinal) => podOf(draw, `w-${ordinal}`, 'StatefulSet')),
			],
			pods: Array.from({length: replicas + 1}, (_, index) => `w-${start + index}`),
			steps: [],
		};
	},
	DaemonSet: (draw) => {
		const spec = {
			selector: {matchLabels: labels},
			updateStrategy: {type: 'OnDelete'},
			template: templateOf({
				tolerations: draw.oneIn(2)
					? [
							{
								key: 'maintenance',
								operator: 'Exists',
								effect: draw.of(['NoExecute', '']),
								tolerationSeconds: 30,
							},
						]
					: [],
			}),
		};
		const nodeOf = (name: string, taints: readonly object[]) => ({
			kind: 'Node',
			metadata: {name, uid: name, labels: {'kubernetes.io/hostname': name}},
			spec: {taints},
			status: {conditions: [{type: 'Ready', status: 'True'}]},
		});
		const taints = [
			{key: 'maintenance', effect: 'NoExecute'},
			{key: 'maintenance', effect: 'NoSchedule'},
			{key: 'node.kubernetes.io/unreachable', effect: 'NoExecute'},
			{key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule'},
			{key: 'node.kubernetes.io/disk-pressure', effect: 'NoSchedule'},
			{key: 'other', effect: 'PreferNoSchedule'},
		];
		return {
			kind: 'DaemonSet',
			objects: [
				objectOf('DaemonSet', spec),
				...nodes.map((name) => nodeOf(name, [])),
				...nodes.filter(() => !draw.oneIn(4)).map((name) => podOf(draw, `w-${name}`, 'DaemonSet', name)),
			],
			pods: ['w-alive', 'w-dead', 'w-c1'],
			steps: nodes.flatMap((name) =>
				[[], [one(draw, taints)], [one(draw, taints)]].map((of) => ({apply: nodeOf(name, of)})),
			),
		};
	},
	Job: (draw) => {
		const isIndexed = draw.oneIn(2);
		const completions = isIndexed || draw.index(4) > 0 ? 2 + draw.index(3) : undefined;
		const parallelism = 1 + draw.index(3);
		const isPerIndex = isIndexed && draw.oneIn(2);
		const hasPolicy = draw.oneIn(2);
		const rules = [
			{
				action: draw.of(['Ignore', 'Count', 'FailJob', ...(isPerIndex ? (['FailIndex'] as const) : [])]),
				onPodConditions: [{type: 'DisruptionTarget', status: 'True'}],
			},
			{
				action: draw.of(['Ignore', 'Count', 'FailJob', ...(isPerIndex ? (['FailIndex'] as const) : [])]),
				onExitCodes: {operator: draw.of(['In', 'NotIn']), values: [42]},
			},
		];
		const spec = {
			parallelism,
			...(completions !== undefined && {completions}),
			completionMode: isIndexed ? 'Indexed' : 'NonIndexed',
			...(isPerIndex && {backoffLimitPerIndex: draw.index(3)}),
			...(isPerIndex && draw.oneIn(3) && {maxFailedIndexes: draw.index(2)}),
			...((!isPerIndex || draw.oneIn(3)) && {backoffLimit: draw.index(4)}),
			// The API server sets Failed for Jobs with a podFailurePolicy.
			...(!hasPolicy && {
				podReplacementPolicy: draw.of(['TerminatingOrFailed', 'TerminatingOrFailed', 'Failed']),
			}),
			...(hasPolicy && {podFailurePolicy: {rules: draw.oneIn(2) ? rules : rules.toReversed()}}),
			selector: {matchLabels: labels},
			template: templateOf({restartPolicy: 'Never'}),
		};
		const active = Math.min(parallelism, completions ?? parallelism);
		const pods = Array.from({length: active}, (_, index) =>
			podOf(draw, `w-${index}-a`, 'Job', undefined, isIndexed ? index : undefined),
		);
		return {
			kind: 'Job',
			objects: [objectOf('Job', spec), ...pods],
			pods: isIndexed
				? ['w-0-a', 'w-1-a', 'w-0-c1', 'w-1-c1', 'w-2-c1', 'w-0-c2']
				: ['w-0-a', 'w-1-a', 'w-c1', 'w-c2', 'w-c3'],
			steps: [],
		};
	},
};

const objectOf = (kind: Workload['kind'], spec: object): RawObject => ({
	kind,
	metadata: {name: 'w', namespace: 'shop', uid: 'w'},
	spec,
});

const templateOf = (spec: object = {}) => ({
	metadata: {labels},
	spec: {terminationGracePeriodSeconds: 30, containers: [{name: 'c', image: 'i'}], ...spec},
});

function podOf(
	draw: Draw,
	name: string,
	kind: Workload['kind'],
	node = draw.of(nodes),
	index?: number,
): RawObject {
	const isReady = !draw.oneIn(6);
	const finalizers = [
		...(kind === 'Job' ? [jobTracking] : []),
		...(draw.oneIn(10) ? ['example.com/protect'] : []),
	];
	return {
		kind: 'Pod',
		metadata: {
			...{name, namespace: 'shop', uid: name, labels, creationTimestamp: '1999-12-31T23:00:00Z'},
			...(finalizers.length > 0 && {finalizers}),
			...(index !== undefined && {
				annotations: {
					'batch.kubernetes.io/job-completion-index': String(index),
					'batch.kubernetes.io/job-index-failure-count': '0',
				},
			}),
			ownerReferences: [
				{apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1', kind, name: 'w', uid: 'w', controller: true},
			],
		},
		spec: {
			...{nodeName: node, terminationGracePeriodSeconds: draw.oneIn(5) ? 0 : 30},
			containers: [{name: 'c', image: 'i'}],
		},
		status: {
			phase: 'Running',
			conditions: [
				{
					type: 'Ready',
					status: isReady ? 'True' : 'False',
					lastTransitionTime: '1999-12-31T23:00:05Z',
					reason: 'x',
				},
			],
		},
	};
}
