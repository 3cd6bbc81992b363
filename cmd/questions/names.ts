import {unique} from '../../src/core/collections/unique.ts';
import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import type {Pod} from '../../src/core/model/pod.ts';
import {hidesNodes, hidesPods} from '../../src/core/model/problem.ts';
import type {Related} from '../../src/core/model/workloads/related.ts';
import {type WorkloadName, workloadKey} from '../../src/core/model/workloads/workload.ts';
import {isZoneNamed, zoneKey, zoneLabel} from '../../src/core/model/zone.ts';
import {type Forecast, isBlind} from '../../src/forecast/forecast.ts';
import type {NodeForecast} from '../../src/forecast/nodeForecast.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {capitalized} from '../../src/forecast/words.ts';
import {ownerChainOf} from '../../src/impact/owners.ts';
import {shellWord} from '../../src/text/pasted.ts';
import {UserError} from '../../src/text/userError.ts';
import type {Options} from '../args/options.ts';
import type {NamedTarget} from '../args/targets.ts';
import {elsewhereNote, namespaceOfNames} from '../lists/elsewhere.ts';
import {podListing, selectionOf} from '../lists/listings.ts';
import {unseenWords} from '../lists/show.ts';
import {isTable} from '../output/tableOptions.ts';
import type {Terminal} from '../output/terminal.ts';
import {warnings} from '../output/warnings.ts';
import type {AskedScene} from '../sources/look.ts';
import {didYouMean, podSuggestion} from '../sources/notFound.ts';
import {assertThere, namespacesElsewhere, relatedOf} from '../sources/owners.ts';

/** A look, what is asked of it, and where the answer goes. */
export type Question = AskedScene & {readonly options: Options; readonly terminal: Terminal};

export type NamedObject = Exclude<NamedTarget, {kind: 'workload'}>;

export type NameScene = Pick<ClusterSnapshot, 'nodes' | 'pods' | 'problems'> & {
	/** The namespace of names without one; undefined for any. */
	readonly namespace: string | undefined;
};

/** Splits NAMESPACE/NAME; without a namespace, uses the one in scope. */
function namespaced(text: string, namespace: string | undefined) {
	const slash = text.indexOf('/');
	return slash < 0 ? {namespace, name: text} : {namespace: text.slice(0, slash), name: text.slice(slash + 1)};
}

/** The pods of a name, with or without its namespace. */
export function podsNamed(text: string, {pods, namespace}: NameScene): readonly Pod[] {
	const wanted = namespaced(text, namespace);
	return pods.filter(
		(pod) =>
			pod.name === wanted.name && (wanted.namespace === undefined || pod.namespace === wanted.namespace),
	);
}

/** The only pod of a name. @throws UserError if there is none, or several */
export function podNamed(text: string, scene: NameScene): Pod {
	const found = podsNamed(text, scene);
	if (found[0] && found.length === 1) return found[0];
	const {name, namespace} = namespaced(text, scene.namespace);
	if (found.length === 0) throw notFound({kind: 'pods', name}, {...scene, namespace});
	const namespaces = found.map((pod) => pod.namespace).join(', ');
	throw new UserError(
		`there are several pods ${JSON.stringify(text)}: in ${namespaces}`,
		'name it as NAMESPACE/POD',
	);
}

/** The namespace of a target: the one in scope, or, unless a flag gave that, the only other one that has it, which is then said. */
export async function namespaceOf(target: NamedTarget, scene: Question) {
	const elsewhere = await elsewhereOf(target, scene, scene.options.flags.namespace);
	if (elsewhere) await scene.terminal.printError(elsewhereNote(elsewhere));
	return elsewhere?.namespace ?? scene.namespace;
}

/** The only other namespace with a pod or a workload; undefined if there are several. */
async function elsewhereOf(target: NamedTarget, scene: AskedScene, given: string | undefined) {
	const {forecast, snapshot, namespace, related: read} = scene;
	if (target.kind === 'pods') {
		const other = namespaceOfNames([target.name], namespace, given, snapshot.pods);
		return other === undefined ? undefined : {name: target.name, namespace: other};
	}
	if (given || target.kind !== 'workload' || namespace === undefined) return undefined;
	const {kind, name} = target.workload;
	const related = await relatedOf([target], namespace, read);
	const [other, ...more] = namespacesElsewhere(target.workload, namespace, forecast.pods, related) ?? [];
	if (other === undefined || more.length > 0) return undefined;
	return {kind: kind.toLowerCase(), name, namespace: other};
}

/** The namespace of a question; undefined for all, as an outage covers all namespaces unless a flag gives one. */
export const askedNamespace = ({namespace, options}: Question) =>
	options.flags.namespace ? namespace : undefined;

/** Says on a table which part of a request does not exist, where nothing was chosen by it; whether it said so. */
export async function saidAbsence(isEmpty: boolean, scene: Question) {
	const absent = isEmpty && isTable(scene.options) ? await scene.absence(askedNamespace(scene)) : '';
	if (absent) await scene.terminal.printError(`${absent}.\n`);
	return absent !== '';
}

/**
 * A recording has only the pods of nodes in trouble, unless it was made with --all.
 *
 * @param nodes those whose pods an answer needs; all if absent
 * @throws UserError if pods of one of them were not recorded
 */
export function assertPodsRecorded({forecast, isPartial}: Question, nodes?: readonly string[]): void {
	const isWell = ({name, verdict}: NodeForecast) => verdict === 'Healthy' && (nodes?.includes(name) ?? true);
	if (isPartial && forecast.nodes.some(isWell))
		throw new UserError(
			'only the pods of nodes in trouble are recorded, so that no loss of another can be told',
			'ask the cluster itself, or a dump or recording of all pods (record --all)',
		);
}

/** Says that nothing is known of pods, if that is so, and why; whether it said so. */
export async function saidBlindness(
	problems: Forecast['problems'],
	{forecast, snapshot, options, terminal}: Question,
) {
	if (!isBlind({pods: forecast.pods, problems})) return false;
	await terminal.printError(warnings(problems, snapshot.observedAt, options));
	await terminal.printError(`${capitalized(unseenWords({plural: 'pods'}))}.\n`);
	return true;
}

const known = (kind: 'nodes' | 'zones', {nodes}: Pick<NameScene, 'nodes'>): readonly string[] =>
	nodes.map((node) => (kind === 'nodes' ? node.name : zoneLabel(zoneKey(node))));

/** The only zone of a name, with or without its region; undefined if there is none, or several. */
export function zoneNamed(name: string, scene: Pick<NameScene, 'nodes'>): string | undefined {
	const found = unique(known('zones', scene)).filter((one) => isZoneNamed(one, name));
	return found.length === 1 ? found[0] : undefined;
}

export function isThere({kind, name}: NamedObject, scene: NameScene): boolean {
	if (kind === 'pods') return podsNamed(name, scene).length > 0;
	return kind === 'zones' ? zoneNamed(name, scene) !== undefined : known(kind, scene).includes(name);
}

/** The node or zone of a name without a kind: `b4`, `b` or `eu/b`; undefined if there is none. */
export function placeNamed(name: string, scene: NameScene) {
	if (known('nodes', scene).includes(name)) return {what: `node ${name}`, target: `node/${name}`};
	const zone = known('zones', scene).find((one) => isZoneNamed(one, name));
	return zone === undefined ? undefined : {what: `zone ${zone}`, target: `zone/${zone}`};
}

/** The error for an unknown name, with a suggestion. @param prefix the flag that named it */
export function notFound({kind, name}: NamedObject, scene: NameScene, prefix = ''): UserError {
	const {pods, namespace, problems} = scene;
	const named = `${prefix}${kind.slice(0, -1)} ${JSON.stringify(name)}`;
	const refusal = problems.find(kind === 'pods' ? hidesPods : hidesNodes);
	if (refusal)
		return new UserError(`${named} is not known: ${refusal.message}`, 'ask for a role that may read it');
	const what = `${named} not found`;
	if (kind !== 'pods')
		return new UserError(
			`${what}${didYouMean(name, known(kind, scene))}`,
			`see \`kubectl evictwatch ${kind}\``,
		);
	const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
	// As a zone is called `eu/b`.
	const place = placeNamed(`${namespace}/${name}`, scene) ?? placeNamed(name, scene);
	if (place)
		return new UserError(`${what}${where}; there is a ${place.what}`, `try ${shellWord(place.target)}`);
	const suggestion = podSuggestion(name, pods, namespace);
	return suggestion
		? new UserError(`${what}${where}; ${suggestion.what}`, suggestion.hint)
		: new UserError(`${what}${where}`, 'see `kubectl evictwatch pods -A`');
}

/** The pods chosen by names, workloads, namespace and selectors. @throws UserError if a named one does not exist */
export async function chosenPods(
	owners: readonly NamedTarget[],
	{options: {filter}, forecast: {pods}, namespace, snapshot, related: read}: Question,
): Promise<readonly PodForecast[]> {
	for (const owner of owners) assertSeen(owner, snapshot, namespace);
	const related = await relatedOf(owners, namespace, read);
	const {isSelected} = selectionOf(podListing, {...filter, owners}, namespace, () => related);
	assertThere(owners, namespace, pods, related);
	return pods.filter(isSelected);
}

/** @throws UserError for a named pod, node or zone that does not exist; one that may not be read may exist */
export function assertSeen(
	target: NamedTarget,
	{nodes, pods, problems}: AskedScene['snapshot'],
	namespace?: string,
) {
	if (target.kind === 'workload' || problems.some(target.kind === 'pods' ? hidesPods : hidesNodes)) return;
	const scene = {nodes, pods, problems, namespace};
	if (!isThere(target, scene)) throw notFound(target, scene);
}

/** The pods of named workloads in the namespace in scope; if it has none and no flag gave it, in the only other that has. */
export async function podsOfWorkloads(
	owners: readonly NamedTarget[],
	scene: Question,
): Promise<readonly PodForecast[]> {
	const found: PodForecast[] = [];
	for (const owner of owners) {
		const namespace = await namespaceOf(owner, scene);
		for (const pod of await chosenPods([owner], {...scene, namespace})) found.push(pod);
	}
	return found;
}

/** A test of whether a workload owns any of the pods. */
export function areOwnersOf(
	pods: readonly PodForecast[],
	related: Related,
): (workload: WorkloadName & {readonly namespace: string}) => boolean {
	const owners = new Set(
		pods.map((pod) => workloadKey({...ownerChainOf(pod, related).workload, namespace: pod.namespace})),
	);
	return (workload) => owners.has(workloadKey(workload));
}
