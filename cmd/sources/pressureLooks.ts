import type {Cluster} from '../../src/cluster/cluster.ts';
import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import {isReadyNode, type Node} from '../../src/core/model/node.ts';
import {nameOf} from '../../src/core/model/objectName.ts';
import type {Problem} from '../../src/core/model/problem.ts';
import {shutdownCondition} from '../../src/core/nodeshutdown/nodeShutdown.ts';
import {type Duration, second} from '../../src/core/time/instant.ts';
import {isUnderPressure} from '../../src/forecast/pressure/observe/pressuredNodes.ts';
import {PressureStore} from '../../src/forecast/pressure/pressureStore.ts';
import {nothingPressed, type PressureSeen} from '../../src/session/pressureStage.ts';

/** Queries kubelets on request, and remembers earlier measurements. */
export function pressureLooks(cluster: Cluster) {
	const book = new PressureStore();
	const looker = cluster.pressureLooker();
	/** Queries each of these nodes once. @param signal ends the queries; nodes not queried by then are reported as a problem */
	return async (nodes: readonly Node[], signal?: AbortSignal): Promise<PressureSeen> => {
		if (nodes.length === 0) return nothingPressed;
		const names = nodes.map(nameOf);
		looker.keep(names);
		const [reports] = await Promise.all([
			looker.reports(signal),
			looker.lookAt(names, (look) => book.take(look), signal),
		]);
		if (reports) book.takeReports(reports);
		const now = cluster.now();
		return {
			forecasts: nodes.map((node) => book.forecast(node, now)),
			problems: [...looker.problems, ...(signal?.aborted ? [endedEarly] : [])],
		};
	};
}

/** Kubelet reports of the last hour, and problems; with a short timeout. */
export async function reportsOnce(cluster: Cluster) {
	const looker = cluster.pressureLooker();
	const reports = (await looker.reports(AbortSignal.timeout(listPatience))) ?? [];
	return {reports, problems: looker.problems};
}

const endedEarly: Problem = {
	reason: 'KubeletsSlow',
	message:
		'not all nodes that run short could be queried in time; ask them with `kubectl evictwatch pressure NODE`',
};

/** How long a list waits for kubelets. */
const listPatience: Duration = 3 * second;
/** The most kubelets queried for one answer. */
const mostNodes = 100;

/**
 * Queries once, with a short timeout, the nodes that report pressure or shut down; silent nodes would not answer.
 *
 * @param named nodes that are queried in any case if they are ready
 */
export const lookAtPressed = (
	cluster: Cluster,
	{nodes}: ClusterSnapshot,
	named: ReadonlySet<string> = new Set(),
): Promise<PressureSeen> =>
	pressureLooks(cluster)(
		nodes
			.filter(
				(node) =>
					shutdownCondition(node) !== undefined ||
					(isReadyNode(node) && (named.has(node.name) || isUnderPressure(node))),
			)
			.slice(0, mostNodes),
		AbortSignal.timeout(listPatience),
	);
