import type {Cluster} from '../../src/cluster/cluster.ts';
import type {PressureLooker} from '../../src/cluster/kubelet/pressureLooker.ts';
import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import {isReadyNode, type Node} from '../../src/core/model/node.ts';
import type {Problem} from '../../src/core/model/problem.ts';
import {shutdownCondition} from '../../src/core/nodeshutdown/nodeShutdown.ts';
import {type Duration, type Instant, second} from '../../src/core/time/instant.ts';
import {isUnderPressure} from '../../src/forecast/pressure/observe/pressuredNodes.ts';
import type {PressureForecast} from '../../src/forecast/pressure/pressureForecast.ts';
import {PressureStore} from '../../src/forecast/pressure/pressureStore.ts';

/** What pressure does to some nodes, and what could not be seen of it. */
export type PressureSeen = {
	readonly forecasts: readonly PressureForecast[];
	readonly problems: readonly Problem[];
};

/** Where nobody looks. */
export const nothingPressed: PressureSeen = {forecasts: [], problems: []};

/** Looks at the pressure of nodes when it is asked to, and remembers what was measured before. */
export class PressureLooks {
	readonly book = new PressureStore();
	readonly #looker: PressureLooker;
	readonly #now: () => Instant;

	constructor(cluster: Pick<Cluster, 'pressureLooker' | 'now'>) {
		this.#looker = cluster.pressureLooker();
		this.#now = cluster.now;
	}

	/**
	 * Looks at each of these nodes once. Asks for nothing where there are none.
	 *
	 * @param signal ends the looks; what was not looked at by then is a problem
	 */
	async look(nodes: readonly Node[], signal?: AbortSignal): Promise<PressureSeen> {
		if (nodes.length === 0) return nothingPressed;
		const names = nodes.map(({name}) => name);
		this.#looker.keep(names);
		const [reports] = await Promise.all([
			this.#looker.reports(signal),
			this.#looker.lookAt(names, (look) => this.book.take(look), signal),
		]);
		if (reports) this.book.takeReports(reports);
		const now = this.#now();
		return {
			forecasts: nodes.map((node) => this.book.forecast(node, now)),
			problems: [...this.#looker.problems, ...(signal?.aborted ? [endedEarly] : [])],
		};
	}
}

/** What kubelets reported in the last hour, and what could not be seen of it. Never for long. */
export async function reportsOnce(cluster: Pick<Cluster, 'pressureLooker'>) {
	const looker = cluster.pressureLooker();
	const reports = (await looker.reports(AbortSignal.timeout(listPatience))) ?? [];
	return {reports, problems: looker.problems};
}

const endedEarly: Problem = {
	reason: 'KubeletsSlow',
	message:
		'not all nodes that run short could be queried in time; ask them with `kubectl evictwatch pressure NODE`',
};

/** So long a list waits for kubelets. */
const listPatience: Duration = 3 * second;
/** In a cluster where very many nodes run short, only so many kubelets are asked for one answer. */
const mostNodes = 100;

/**
 * Looks once at the nodes of a cluster that say that they run short, or shut down; silent ones would not answer. Never for long.
 *
 * @param named nodes that are looked at in any case, if they are ready
 */
export const lookAtPressed = (
	cluster: Pick<Cluster, 'pressureLooker' | 'now'>,
	{nodes}: Pick<ClusterSnapshot, 'nodes'>,
	named: ReadonlySet<string> = new Set(),
): Promise<PressureSeen> =>
	new PressureLooks(cluster).look(
		nodes
			.filter(
				(node) =>
					shutdownCondition(node) !== undefined ||
					(isReadyNode(node) && (named.has(node.name) || isUnderPressure(node))),
			)
			.slice(0, mostNodes),
		AbortSignal.timeout(listPatience),
	);
