import type {Related} from '../../src/core/model/workloads/related.ts';
import {type WorkloadName, workloadKey} from '../../src/core/model/workloads/workload.ts';
import {type Forecast, isBlind} from '../../src/forecast/forecast.ts';
import {type NodeForecast, seemsHealthy} from '../../src/forecast/nodeForecast.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {capitalized} from '../../src/forecast/words.ts';
import {ownerChainOf} from '../../src/impact/owners.ts';
import {UserError} from '../../src/text/userError.ts';
import type {NamedTarget} from '../args/targets.ts';
import {elsewhereNote, namespaceOfNames} from '../lists/elsewhere.ts';
import {podListing, selectionOf} from '../lists/listings.ts';
import {unseenWords} from '../lists/show.ts';
import type {CommandCall} from '../output/documentPrinter.ts';
import {isTable} from '../output/tableOptions.ts';
import {warnings} from '../output/warnings.ts';
import type {AskedScene} from '../sources/look.ts';
import {assertSeen} from '../sources/named.ts';
import {assertThere, namespacesElsewhere, relatedOf} from '../sources/owners.ts';

/** A look, what is asked of it, and where the answer goes. */
export type Question = AskedScene & CommandCall;

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
export function assertPodsRecorded({forecast, isPartial}: Question, nodes?: readonly string[]) {
	const isWell = (node: NodeForecast) => seemsHealthy(node) && (nodes?.includes(node.name) ?? true);
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
