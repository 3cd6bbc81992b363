import type {Pod} from '../../core/model/pod.ts';
import type {EvictionWorld} from '../../core/nodepressure/evictionWorld.ts';
import type {NodePod} from '../../core/nodepressure/nodePod.ts';
import {parseQuantity} from '../../core/nodepressure/quantities/parseQuantity.ts';
import type {PodStats, Summary} from '../../core/nodepressure/summary.ts';
import {measuredIn} from '../../core/nodepressure/thresholds/observations.ts';
import {type Duration, type Instant, never, second} from '../../core/time/instant.ts';
import {hashOf} from '../encode/encodeMeta.ts';
import {mirrorHash} from '../encode/encodePod.ts';
import type {DemoPod} from '../encode/workload.ts';

const mebibyte = 1024n * 1024n;
const gibibyte = 1024n * mebibyte;
/** As in the demo's node objects. */
const capacity = 32n * gibibyte;
/** Memory used outside pods: so much that a leak is a story within a minute. */
const system = 24_064n * mebibyte;
const disk = 100n * gibibyte;
const inodes = 6_000_000n;
/** The time from a kill to the pod's end. */
const termination: Duration = 2 * second;

/** The memory of a node, with its pods' usage and leaks. @param podsOf the pods that are bound to the node and have not ended */
export function demoMemory(podsOf: () => readonly DemoPod[]) {
	const leaks: {readonly uid: string; readonly from: Instant; readonly mebibytesPerSecond: number}[] = [];
	const endsAt = new Map<string, Instant>();

	const alive = (now: Instant) => podsOf().filter(({pod}) => now < (endsAt.get(uidOnNode(pod)) ?? never));

	/** The sum of a fixed amount per pod, a small variation, and its leak. */
	const usedBy = (pod: Pod, now: Instant): bigint => {
		const own = 150 + (hashOf(pod.uid) % 700);
		const breath = hashOf(`${pod.uid}/${Math.floor(now / (10 * second))}`) % 7;
		const leaked = leaks
			.filter(({uid, from}) => uid === pod.uid && now > from)
			.reduce((sum, {from, mebibytesPerSecond}) => sum + (mebibytesPerSecond * (now - from)) / second, 0);
		return BigInt(Math.round((own + breath + leaked) * 1024)) * 1024n;
	};

	const summary = (now: Instant): Summary => {
		const time = now;
		const pods = alive(now).map(({pod, workload}): PodStats => {
			const memory = {time, workingSetBytes: usedBy(pod, now)};
			const containers = [{name: workload.name, memory}];
			return {uid: uidOnNode(pod), memory, containers, volumes: [], processCount: 12n};
		});
		const used = pods.reduce((sum, {memory}) => sum + (memory?.workingSetBytes ?? 0n), system);
		const workingSetBytes = used < capacity ? used : capacity;
		const fs = {
			time,
			availableBytes: (disk * 3n) / 5n,
			capacityBytes: disk,
			inodesFree: (inodes * 4n) / 5n,
			inodes,
		};
		return {
			node: {
				memory: {time, workingSetBytes, availableBytes: capacity - workingSetBytes},
				fs,
				imageFs: fs,
				rlimit: {time, maxpid: 126_000n, curproc: 2_400n},
			},
			pods,
		};
	};

	/** The world of the node's eviction manager. */
	const world: EvictionWorld = {
		measured: (now) => measuredIn(summary(now)),
		fileSystems: () => ({hasDedicatedImageFs: false, hasDedicatedContainerFs: false}),
		activePods: (now) => alive(now).map(nodePodOf),
		collectGarbage: () => undefined,
		kill: ({uid}, _graceSeconds, now) => {
			endsAt.set(uid, now + termination);
			return now + termination;
		},
		isCleanedUp: () => true,
		choose: ([first]) => first,
	};
	return {world, summary, leak: (leak: (typeof leaks)[number]) => void leaks.push(leak)};
}

/** The kubelet's UID of a static pod is the hash of its manifest. */
const uidOnNode = (pod: Pod) => (pod.isMirror ? mirrorHash(pod) : pod.uid);

function nodePodOf({pod, workload}: DemoPod): NodePod {
	const {namespace, name, priority, tolerations, isMirror} = pod;
	const {request, limit} = workload.memory ?? {};
	return {
		namespace,
		name,
		uid: uidOnNode(pod),
		isMirror,
		tolerations,
		...(priority !== undefined && {priority}),
		containers: [
			{
				name: workload.name,
				requests: request === undefined ? {} : {memory: parseQuantity(request)},
				limits: limit === undefined ? {} : {memory: parseQuantity(limit)},
			},
		],
		initContainers: [],
		overhead: {},
		volumes: [],
	};
}
