import {usageError} from './usageError.ts';

/** The kinds that are listed, and the words by which kubectl's users know them. */
const listed = {
	pods: ['pods', 'pod', 'po'],
	nodes: ['nodes', 'node', 'no'],
	zones: ['zones', 'zone'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A kind that has a command of its own, which lists it. */
export type ListedKind = keyof typeof listed;

/** What a name without a kind is taken for. */
type AssumedKind = ListedKind | typeof anyWorkload;

/** The kinds whose pods can be asked for, and the words by which kubectl knows them. */
const owners: Readonly<Record<string, readonly string[]>> = {
	Deployment: ['deployments', 'deployment', 'deploy', 'deployments.apps', 'deployment.apps'],
	StatefulSet: ['statefulsets', 'statefulset', 'sts', 'statefulsets.apps', 'statefulset.apps'],
	DaemonSet: ['daemonsets', 'daemonset', 'ds', 'daemonsets.apps', 'daemonset.apps'],
	ReplicaSet: ['replicasets', 'replicaset', 'rs', 'replicasets.apps', 'replicaset.apps'],
	ReplicationController: ['replicationcontrollers', 'replicationcontroller', 'rc'],
	Job: ['jobs', 'job', 'jobs.batch', 'job.batch'],
	CronJob: ['cronjobs', 'cronjob', 'cj', 'cronjobs.batch', 'cronjob.batch'],
	Service: ['services', 'service', 'svc'],
};

/** Stands for a workload of whatever kind. */
export const anyWorkload = 'Workload';

/** What has pods of its own; a kind that is not ours is written as the API writes it: `Rollout`. */
export type NamedWorkload = {readonly kind: string; readonly name: string};

/** What a word of the command line names; its namespace is found later. */
export type NamedTarget =
	| {readonly kind: ListedKind; readonly name: string}
	| {readonly kind: 'workload'; readonly workload: NamedWorkload};

/** The kind that a word names, as in `po`. */
const listedKindOf = (word: string): ListedKind | undefined =>
	(Object.keys(listed) as ListedKind[]).find((kind) => (listed[kind] as readonly string[]).includes(word));

/** The other words for a kind that has a command. */
export const aliasesOf = (kind: ListedKind): readonly string[] => listed[kind].slice(1);

/** The names of those targets that are of a kind. */
export const namesOf = (kind: ListedKind, targets: readonly NamedTarget[]): readonly string[] =>
	targets.flatMap((one) => (one.kind === kind ? one.name : []));

const knownOwnerKindOf = (word: string): string | undefined =>
	Object.keys(owners).find((kind) => owners[kind]?.includes(word.toLowerCase()));

/** The kinds of workloads of `deploy,sts`; none where a word is no such list. A Service has pods, and is no workload. */
export function workloadKindsOf(word: string): readonly string[] {
	const kinds = word.split(',').map(knownOwnerKindOf);
	const isWorkload = (kind: string | undefined) => kind !== undefined && kind !== 'Service';
	return kinds.every(isWorkload) ? [...new Set(kinds.flatMap((kind) => kind ?? []))] : [];
}

// A kind of a custom resource is told from a namespace by its capital letter.
const ownerKindOf = (word: string): string | undefined =>
	knownOwnerKindOf(word) ?? (/^[A-Z]\w*$/.test(word) ? word : undefined);

const namesKind = (word: string): boolean =>
	listedKindOf(word) !== undefined || ownerKindOf(word) !== undefined;

/** Whether a word is of the form KIND/NAME. */
export const namesTarget = (word: string): boolean =>
	namesKind(word.slice(0, Math.max(0, word.indexOf('/'))));

/** The kinds of `pods,nodes`; none where a word is no such list. */
export function listedKindsOf(word: string): readonly ListedKind[] {
	const kinds = word.split(',').map(listedKindOf);
	return kinds.every((kind) => kind !== undefined) ? [...new Set(kinds)] : [];
}

/**
 * Reads names as kubectl does: `pod/web-1 deploy/web zone/eu/a`, or `pod web-1 web-2`.
 *
 * @param assumed the kind of a name without one
 * @throws UserError where one cannot be understood
 */
export function readTargets(words: readonly string[], assumed: AssumedKind = 'pods'): readonly NamedTarget[] {
	const [first = '', ...rest] = words;
	if (!namesKind(first)) return words.map((word) => targetOf(word, assumed));
	if (rest.length === 0) throw usageError(`which ${first}? want ${first}/NAME`);
	return rest.map((word) => (isOfKind(word, first) ? targetOf(word, assumed) : target(first, word)));
}

/** Reads a name: `web-1`, `pod/web-1`, `deploy/web`. @throws UserError where it is none */
export function targetOf(word: string, assumed: AssumedKind): NamedTarget {
	const slash = word.indexOf('/');
	const kind = word.slice(0, Math.max(0, slash));
	return namesKind(kind) ? target(kind, word.slice(slash + 1)) : target(assumed, word);
}

// `pod pod/web-1` names one pod, as with kubectl.
function isOfKind(word: string, kind: string): boolean {
	const other = word.slice(0, Math.max(0, word.indexOf('/')));
	const [wanted, found] = [kind, other].map((one) => listedKindOf(one) ?? ownerKindOf(one));
	return wanted !== undefined && wanted === found;
}

/** What to type for NAMESPACE/NAME, as outputs print it; of no namespace are nodes. */
function wantedWords(kind: ListedKind | undefined, what: string, name: string): string {
	const [namespace = '', own = '', ...more] = name.split('/');
	if (kind === 'nodes' || namespace === '' || own === '' || more.length > 0)
		return `want ${what}/NAME; choose a namespace with --namespace`;
	const isAssumed = kind === 'pods' || what === anyWorkload.toLowerCase();
	return `want ${isAssumed ? '' : `${what}/`}${own} -n ${namespace}`;
}

function target(word: string, name: string): NamedTarget {
	const kind = listedKindOf(word);
	if (name === '') throw usageError(`which ${word}? want ${word}/NAME`);
	if (kind !== 'zones' && name.includes('/')) {
		const what = kind === undefined ? word.toLowerCase() : kind.slice(0, -1);
		const zone = kind === 'pods' ? `; of a zone, want zone/${name}` : '';
		throw usageError(`"${name}" is not a ${what} name: ${wantedWords(kind, what, name)}${zone}`);
	}
	if (kind !== undefined) return {kind, name};
	return {kind: 'workload', workload: {kind: ownerKindOf(word) ?? word, name}};
}
