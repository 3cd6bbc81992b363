import type {Cluster} from '../../src/cluster/cluster.ts';
import {hasStatus} from '../../src/cluster/transport/requestError.ts';
import type {Selection} from '../../src/cluster/transport/selection.ts';
import type {ClusterSnapshot, Problem} from '../../src/core/model/clusterSnapshot.ts';
import type {Feed} from '../../src/session/session.ts';
import type {Options} from '../args/options.ts';
import type {NamedTarget} from '../questions/explainTargets.ts';
import {TroubledNodes} from './troubledNodes.ts';

/**
 * What is read: the pods of the nodes in trouble, of every namespace, as the controllers delete them through one client
 * with a limited rate; those asked for by name; and with --all every pod there is.
 */
export function selectionFor(
	{command, filter}: Pick<Options, 'command' | 'filter'>,
	namespace: string | undefined,
): Selection {
	const isOfPods = command === undefined || command === 'pods';
	if (isOfPods && filter.all) return {pods: {type: 'all'}};
	const isNamed = isOfPods && namespace !== undefined && filter.names.length > 0;
	const named = isNamed ? {named: {namespace, names: filter.names}} : {};
	return {pods: {type: 'chosen', chooser: new TroubledNodes(), ...named}};
}

/** What is read to explain something: what is in trouble, and what is asked for. A pod may be in another namespace. */
export function explainSelection(targets: readonly NamedTarget[]): Selection {
	const namesOf = (kind: NamedTarget['kind']) =>
		targets.filter((one) => one.kind === kind).map(({name}) => name);
	const chooser = new TroubledNodes(namesOf('node'));
	return {pods: {type: 'chosen', chooser, named: {namespace: undefined, names: namesOf('pod')}}};
}

const everything: Selection = {pods: {type: 'all'}};

/** Reads a cluster once: everything, or the one namespace where more is forbidden. */
export async function readOnce(
	cluster: Pick<Cluster, 'snapshot'>,
	selection: Selection,
	namespace: string | undefined,
): Promise<ClusterSnapshot> {
	const first = await cluster.snapshot(selection);
	const isBlind = isChosenByNode(selection) && first.problems.some(isNodesForbidden);
	const snapshot = isBlind ? await cluster.snapshot(everything) : first;
	if (namespace === undefined || !snapshot.problems.some(isPodsForbidden)) return snapshot;
	const narrow = await cluster.snapshot({pods: {type: 'namespace', namespace}});
	return {...narrow, problems: [...narrow.problems, narrowed(namespace)]};
}

/** Watches a cluster: everything, or the one namespace where more is forbidden. Tells its problems as they change. */
export function feedOf(
	cluster: Pick<Cluster, 'watch'>,
	selection: Selection,
	namespace: string | undefined,
	onProblems: (problems: readonly Problem[]) => void,
): Feed {
	return async (sink, signal) => {
		const watchUnless = (isRefused: (problem: Problem) => boolean, wanted: Selection) => {
			const refusal = new AbortController();
			let isOpen = false;
			return cluster.watch(
				wanted,
				(observations, arrivedAt, sight) => {
					isOpen = true;
					if (!refusal.signal.aborted) sink.observe(observations, arrivedAt, sight);
				},
				AbortSignal.any([signal, refusal.signal]),
				(problems) => {
					// What was allowed at first is refused by an API server that has just started, and knows no roles yet.
					if (!isOpen && problems.some(isRefused)) refusal.abort();
					else onProblems(problems);
				},
			);
		};
		const mayNarrow = (problem: Problem) => namespace !== undefined && isPodsForbidden(problem);
		if (isChosenByNode(selection)) {
			await watchUnless((problem) => mayNarrow(problem) || isNodesForbidden(problem), selection);
			if (signal.aborted) return;
			await watchUnless(mayNarrow, everything);
		} else await watchUnless(mayNarrow, selection);
		if (namespace === undefined || signal.aborted) return;
		await cluster.watch(
			{pods: {type: 'namespace', namespace}},
			(observations, arrivedAt, sight) => sink.observe(observations, arrivedAt, sight),
			signal,
			(problems) => onProblems([...problems, narrowed(namespace)]),
		);
	};
}

// Where the nodes may not be read, which of them are in trouble cannot be seen: no choice of pods by node is a good one.
const isChosenByNode = ({pods}: Selection): boolean => pods.type === 'chosen';

const isNodesForbidden = ({reason}: Problem): boolean => reason === 'NodesForbidden';

const isPodsForbidden = ({reason}: Problem): boolean => reason === 'PodsForbidden';

const narrowed = (namespace: string): Problem => ({
	reason: 'OtherNamespacesForbidden',
	message:
		`only the pods of ${namespace} may be read: where many pods of other namespaces are deleted, ` +
		'evictions come later than shown',
});

/** The version of the server; undefined where it may not be asked. */
export const readVersion = (cluster: Pick<Cluster, 'version'>): Promise<string | undefined> =>
	cluster.version().catch((error: unknown) => {
		if (hasStatus(error, 403)) return undefined;
		throw error;
	});
