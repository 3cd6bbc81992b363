import type {Problem} from '../core/model/clusterSnapshot.ts';
import type {EvictionConfig} from '../core/nodepressure/evictionSettings.ts';
import type {NodePod} from '../core/nodepressure/nodePod.ts';
import type {Summary} from '../core/nodepressure/summary.ts';
import type {Instant} from '../core/time/instant.ts';
import {readEvictionConfig, readNodePods, readNodeSummary} from './nodePressure.ts';
import {RequestError} from './requestError.ts';
import type {Transport} from './transport.ts';

/** What one look at a node's pressure brought; what could not be read is absent, and a problem. */
export type PressureLook = {
	readonly node: string;
	/** When the statistics came. */
	readonly seenAt: Instant;
	readonly summary?: Summary;
	readonly config?: EvictionConfig;
	readonly pods: readonly NodePod[];
	readonly problems: readonly Problem[];
};

/**
 * Looks at a node's pressure: asks its kubelet for statistics and configuration, and the API server for its pods. Never
 * throws for what a cluster refuses or a kubelet leaves unanswered.
 *
 * @param known the configuration from an earlier look, which is not asked for again
 */
export async function lookAtPressure(
	transport: Transport,
	node: string,
	now: () => Instant,
	known?: EvictionConfig,
): Promise<PressureLook> {
	const problems: Problem[] = [];
	const report = (message: string) => problems.push({reason: 'PodUnreadable', message});
	const or = <T>(wanted: Promise<T>, reason: string, lost: string): Promise<T | undefined> =>
		wanted.catch((error: unknown) => {
			problems.push(problemOf(error, reason, lost));
			return undefined;
		});
	const [summary, config, pods] = await Promise.all([
		or(readNodeSummary(transport, node), 'Summary', 'what the node has left is not seen'),
		known ?? or(readEvictionConfig(transport, node), 'KubeletConfig', "a kubelet's defaults are assumed"),
		or(readNodePods(transport, node, report), 'Pods', 'its pods are not seen'),
	]);
	return {
		node,
		seenAt: now(),
		...(summary && {summary}),
		...(config && {config}),
		pods: pods ?? [],
		problems: distinct(problems),
	};
}

function problemOf(error: unknown, what: string, lost: string): Problem {
	if (!(error instanceof RequestError)) throw error;
	const kind = error.status === 403 ? 'Forbidden' : 'Unreadable';
	return {reason: `${what}${kind}`, message: `${error.message}: ${lost}`};
}

// What stops two questions is one problem.
const distinct = (problems: readonly Problem[]): readonly Problem[] => [
	...new Map(problems.map((problem) => [`${problem.reason} ${problem.message}`, problem])).values(),
];
