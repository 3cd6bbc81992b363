import type {Problem} from '../core/model/problem.ts';
import type {Instant} from '../core/time/instant.ts';
import type {ClusterForecast} from '../impact/clusterForecast.ts';

/** Problems that mean that nothing at all is heard of a cluster. */
const disconnections: ReadonlySet<string> = new Set([
	'ServerUnreachable',
	'Unauthorized',
	'CredentialsUnavailable',
]);

/** Whether a problem means that nothing at all is heard of a cluster. */
export const isDisconnection = ({reason}: Problem): boolean => disconnections.has(reason);

/** What several clusters showed at one instant. */
export type FleetView = {
	/** By our own clock. */
	readonly observedAt: Instant;
	readonly source: 'cluster';
	/** Of all of them, each with the name of its cluster. */
	readonly problems: readonly Problem[];
	readonly clusters: readonly ClusterForecast[];
};

/** Several clusters, each known by what was last read of it. None waits for another. */
export class Fleet {
	readonly #clusters: Map<string, ClusterForecast>;

	/** @param names of all of them; of each nothing is known yet */
	constructor(names: readonly string[]) {
		this.#clusters = new Map(names.map((name) => [name, unknownCluster(name)]));
	}

	/** Takes in what is new of one. */
	update(name: string, news: Partial<Omit<ClusterForecast, 'name'>>): void {
		this.#clusters.set(name, {...(this.#clusters.get(name) ?? unknownCluster(name)), ...news});
	}

	/** Whether all were read, or given up. */
	get isSettled(): boolean {
		return [...this.#clusters.values()].every(
			({status, summary}) => status === 'Unreachable' || summary !== undefined,
		);
	}

	/** All of them, as they are known now. */
	view(now: Instant): FleetView {
		const clusters = [...this.#clusters.values()];
		const problems = clusters.flatMap(({name, problems}) =>
			problems.map(({reason, message}) => ({reason, message: `${name}: ${message}`})),
		);
		return {observedAt: now, source: 'cluster', problems, clusters};
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
