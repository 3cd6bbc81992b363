import {unique} from '../../src/core/collections/unique.ts';
import {nameOf} from '../../src/core/model/objectName.ts';
import type {CommandSet} from './commandSet.ts';
import type {ArgumentList} from './kubectlGrammar.ts';
import {usageError} from './usageError.ts';

/** The listed kinds, with kubectl's names for them. */
const listed = {
	pods: ['pods', 'pod', 'po'],
	nodes: ['nodes', 'node', 'no'],
	zones: ['zones', 'zone'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A kind with a command that lists it. */
export type ListedKind = keyof typeof listed;

type AssumedKind = ListedKind | typeof anyWorkload;

/** The kinds whose pods can be chosen, with kubectl's names for them. */
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

export const anyWorkload = 'Workload';

/** An owner of pods; an unknown kind is written as in the API: `Rollout`. */
export type NamedWorkload = {readonly kind: string; readonly name: string};

/** A named object; its namespace is resolved later. */
export type NamedTarget =
	| {readonly kind: ListedKind; readonly name: string}
	| {readonly kind: 'workload'; readonly workload: NamedWorkload};

/** The kind of a word such as `po`. */
const listedKindOf = (word: string): ListedKind | undefined =>
	(Object.keys(listed) as ListedKind[]).find((kind) => (listed[kind] as readonly string[]).includes(word));

/** The aliases of a kind's command. */
export const aliasesOf = (kind: ListedKind): readonly string[] => listed[kind].slice(1);

export const namesOf = (kind: ListedKind, targets: readonly NamedTarget[]): readonly string[] =>
	targets.flatMap((one) => (one.kind === kind ? one.name : []));

const knownOwnerKindOf = (word: string): string | undefined =>
	Object.keys(owners).find((kind) => owners[kind]?.includes(word.toLowerCase()));

/** The workload kinds of `deploy,sts`; empty if the word is no such list. A Service owns pods but is no workload. */
export function workloadKindsOf(word: string): readonly string[] {
	const kinds = word.split(',').map(knownOwnerKindOf);
	const isWorkload = (kind: string | undefined) => kind !== undefined && kind !== 'Service';
	return kinds.every(isWorkload) ? unique(kinds.flatMap((kind) => kind ?? [])) : [];
}

/** The plural of a kind's word, as the API has it: `deployments` for `deploy`; undefined if there is no such kind. */
export const pluralOf = (word: string): string | undefined =>
	listedKindOf(word) ?? owners[knownOwnerKindOf(word) ?? '']?.[0];

// A custom kind is written with a capital letter, which no namespace has.
const ownerKindOf = (word: string): string | undefined =>
	knownOwnerKindOf(word) ?? (/^[A-Z]\w*$/.test(word) ? word : undefined);

const namesKind = (word: string) => listedKindOf(word) !== undefined || ownerKindOf(word) !== undefined;

/** Whether a word has the form KIND/NAME. */
export const namesTarget = (word: string) => namesKind(word.slice(0, Math.max(0, word.indexOf('/'))));

/** The kinds of `pods,nodes`; empty if the word is no such list. */
export function listedKindsOf(word: string): readonly ListedKind[] {
	const kinds = word.split(',').map(listedKindOf);
	return kinds.every((kind) => kind !== undefined) ? unique(kinds) : [];
}

/** Parses names as kubectl does: `pod/web-1 deploy/web`, or `pod web-1`. @param assumed kind if none is named @throws UserError */
export function readTargets(words: readonly string[], assumed: AssumedKind = 'pods'): readonly NamedTarget[] {
	const [first = '', ...rest] = words;
	if (!namesKind(first)) return words.map((word) => targetOf(word, assumed));
	if (rest.length === 0) throw usageError(`which ${first}? want ${first}/NAME`);
	return rest.map((word) => (isOfKind(word, first) ? targetOf(word, assumed) : target(first, word)));
}

/** Parses a name: `web-1`, `pod/web-1`, `deploy/web`. @throws UserError if it is invalid */
export function targetOf(word: string, assumed: AssumedKind): NamedTarget {
	const slash = word.indexOf('/');
	const kind = word.slice(0, Math.max(0, slash));
	return namesKind(kind) ? target(kind, word.slice(slash + 1)) : target(assumed, word);
}

// As in kubectl, `pod pod/web-1` names one pod.
function isOfKind(word: string, kind: string) {
	const other = word.slice(0, Math.max(0, word.indexOf('/')));
	const [wanted, found] = [kind, other].map((one) => listedKindOf(one) ?? ownerKindOf(one));
	return wanted !== undefined && wanted === found;
}

/** What to type instead of NAMESPACE/NAME, the form in outputs; nodes have no namespace. */
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
		throw usageError(`"${name}" is not a ${what} name: ${wantedWords(kind, what, name)}`);
	}
	if (kind !== undefined) return {kind, name};
	return {kind: 'workload', workload: {kind: ownerKindOf(word) ?? word, name}};
}

/**
 * Takes the namespace out of names in the form of outputs, `shop/cart-0` or `shop/deployment/web`, as if `-n` had given it.
 *
 * @throws UserError if the names are of several namespaces, or `-n` gave another one
 */
export function withoutNamespaces(line: ArgumentList, commands: CommandSet): ArgumentList {
	const {positionals, flags} = line;
	const at = positionals[0] === 'get' ? 2 : 1;
	if (!namesPods(positionals[at - 1] ?? '', commands)) return line;
	const names = positionals.slice(at);
	const parts = names.map(partsOf);
	const [named] = parts.flatMap(({namespace}) => namespace ?? []);
	if (named === undefined || names[0] === 'zone' || names[0] === 'zones') return line;
	// A kind before names has no namespace.
	const stray = names.find(
		(name, index) => parts[index]?.namespace !== named && !(index === 0 && namesTarget(`${name}/`)),
	);
	if (stray !== undefined)
		throw usageError(
			`not all names are in namespace ${named}, as ${stray}: want a command for each namespace`,
		);
	const [, given] = flags.find(([flag]) => flag === 'namespace') ?? [];
	if (given && given !== named)
		throw usageError(`names are in namespace ${named}, but --namespace is ${given}`);
	return {
		positionals: [...positionals.slice(0, at), ...parts.map(nameOf)],
		flags: [...flags.filter(([flag]) => !scopes.includes(flag)), ['namespace', named]],
	};
}

const scopes: readonly string[] = ['namespace', 'all-namespaces'];

/** Whether names after this word are of pods, or of workloads. */
function namesPods(word: string, commands: CommandSet): boolean {
	const command = commands.find(word);
	const completes = command && commands.of(command).completes;
	return completes === 'targets' || completes === 'pods' || workloadKindsOf(word).length > 0;
}

/** `shop` and `cart-0`, or `deployment/web`; no namespace if the first part is a kind, or there are other parts. */
function partsOf(text: string) {
	const [namespace = '', ...rest] = text.split('/');
	const name = rest.join('/');
	const isOne = rest.length === 1 || (rest.length === 2 && namesTarget(name));
	return isOne && !rest.includes('') && namespace !== '' && !namesTarget(text)
		? {namespace, name}
		: {name: text};
}
