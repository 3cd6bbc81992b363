import type {Problem} from '../core/model/problem.ts';
import type {Instant} from '../core/time/instant.ts';
import type {ClusterForecast} from '../impact/clusterForecast.ts';

/** The problems under which no data comes from a cluster. */
const disconnections: ReadonlySet<string> = new Set([
	'ServerUnreachable',
	'Unauthorized',
	'CredentialsUnavailable',
]);

/** Whether no data comes from a cluster with this problem. */
export const isDisconnection = ({reason}: Problem) => disconnections.has(reason);

export type FleetView = ReturnType<Fleet['view']>;

/** The latest data of several clusters. None waits for another. */
export class Fleet {
	readonly #clusters: Map<string, ClusterForecast>;

	constructor(names: readonly string[]) {
		this.#clusters = new Map(names.map((name) => [name, unknownCluster(name)]));
	}

	update(name: string, news: Partial<Omit<ClusterForecast, 'name'>>) {
		this.#clusters.set(name, {...(this.#clusters.get(name) ?? unknownCluster(name)), ...news});
	}

	/** Whether every cluster was read, or is unreachable. */
	get isSettled() {
		return [...this.#clusters.values()].every(
			({status, summary}) => status === 'Unreachable' || summary !== undefined,
		);
	}

	/** What the clusters showed at one instant, by this machine's clock. */
	view(observedAt: Instant) {
		const clusters = [...this.#clusters.values()];
		// Each prefixed with the cluster's name.
		const problems = clusters.flatMap(({name, problems}) =>
			problems.map(({reason, message}) => ({reason, message: `${name}: ${message}`})),
		);
		return {observedAt, source: 'cluster' as const, problems, clusters};
	}
}

const unknownCluster = (name: string): ClusterForecast => ({
	name,
	server: undefined,
	status: 'Connecting',
	heardAt: undefined,
	clockOffset: 0,
	summary: undefined,
	problems: [],
});
