import type {Pod} from '../../core/model/pod.ts';
import type {Toleration} from '../../core/model/toleration.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {hashOf} from './encodeMeta.ts';

/** One workload of the demo's cluster, from which its pods and their owners are made. */
export type DemoWorkload = Readonly<{
	/** A bare pod has no owner; a static one belongs to its kubelet. */
	kind: 'Deployment' | 'StatefulSet' | 'DaemonSet' | 'Bare' | 'Static';
	namespace: string;
	name: string;
	/** Ignored for a DaemonSet, which has one pod on each node. */
	replicas: number;
	tolerations: readonly Toleration[];
	priority?: number;
	/** The budget for voluntary disruptions; evictions because of taints ignore it. */
	minAvailable?: number;
	command?: readonly string[];
	/** Memory request and limit of its pods. */
	memory?: {readonly request?: string; readonly limit?: string};
}>;

export type DemoPod = {readonly pod: Pod; readonly workload: DemoWorkload};

export function ownerOf({kind, namespace, name}: DemoWorkload): Pod['owner'] {
	switch (kind) {
		case 'Deployment':
			return {kind: 'ReplicaSet', name: replicaSetName(name), uid: uidOf('replicaset', namespace, name)};
		case 'StatefulSet':
		case 'DaemonSet':
			return {kind, name, uid: uidOf(kind, namespace, name)};
		default:
			return undefined;
	}
}

export const replicaSetName = (deployment: string) => `${deployment}-${templateHash(deployment)}`;

const templateHash = (deployment: string) => suffixOf(deployment, 9);

/** The time from a pod's binding until it is ready. */
export const startDuration = ({uid}: Pod): Duration => (2 + (hashOf(uid) % 6)) * second;

/**
 * Makes a pod of a workload.
 *
 * @param serial the ordinal of a StatefulSet's pod; otherwise a number unique within the workload
 * @param generation distinguishes a StatefulSet's pod from earlier ones of the same name
 */
export function makePod(
	workload: DemoWorkload,
	serial: number,
	generation: number,
	nodeName: string,
	createdAt: Instant,
): Pod {
	const {namespace, name, kind, tolerations, priority} = workload;
	const owner =
		kind === 'Static' ? {kind: 'Node', name: nodeName, uid: nodeUid(nodeName)} : ownerOf(workload);
	const podName = podNameOf(workload, serial, nodeName);
	return {
		namespace,
		name: podName,
		uid: uidOf('pod', namespace, `${podName}-${generation}`),
		nodeName,
		createdAt,
		labels: {
			app: name,
			...(kind === 'Deployment' && {'pod-template-hash': templateHash(name)}),
			...(kind === 'Static' && {component: name, tier: 'control-plane'}),
		},
		tolerations,
		phase: 'Pending',
		ready: 'False',
		isMirror: kind === 'Static',
		...(nodeName !== '' && {scheduledAt: createdAt}),
		...(owner && {owner}),
		...(priority !== undefined && {priority}),
	};
}

/** The UID of an object of the demo; it is the same in each run. */
export function uidOf(kind: string, namespace: string, name: string): string {
	const digits = ['w', 'x', 'y', 'z'].map((salt) =>
		hashOf(`${salt}/${kind}/${namespace}/${name}`).toString(16).padStart(8, '0'),
	);
	const hex = digits.join('');
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export const nodeUid = (name: string) => uidOf('node', '', name);

function podNameOf({kind, name}: DemoWorkload, serial: number, nodeName: string): string {
	switch (kind) {
		case 'Deployment':
			return `${replicaSetName(name)}-${suffixOf(`${name}/${serial}`, 5)}`;
		case 'StatefulSet':
			return `${name}-${serial}`;
		case 'DaemonSet':
			return `${name}-${suffixOf(`${name}/${nodeName}`, 5)}`;
		case 'Bare':
			return name;
		case 'Static':
			return `${name}-${nodeName}`;
	}
}

// The characters of Kubernetes' generated names; they contain no vowels, so that no words come out.
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

function suffixOf(text: string, length: number): string {
	const letter = (_: unknown, index: number) => alphabet[hashOf(`${index}/${text}`) % alphabet.length] ?? '';
	return Array.from({length}, letter).join('');
}
