import {untilFirstEnds} from '../../src/async/taskGroup.ts';
import type {Cluster} from '../../src/cluster/cluster.ts';
import type {PressureListener} from '../../src/cluster/kubelet/pressureLooker.ts';
import type {Problem} from '../../src/core/model/problem.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import type {Explanation} from '../../src/forecast/explain/explanation.ts';
import {withPressureExplained} from '../../src/forecast/explain/pressure/pressureExplained.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {Pausable} from '../../src/forecast/pausable.ts';
import {PressuredNodes} from '../../src/forecast/pressure/observe/pressuredNodes.ts';
import type {PressureForecast} from '../../src/forecast/pressure/pressureForecast.ts';
import {PressureStore} from '../../src/forecast/pressure/pressureStore.ts';
import {withPressure} from '../../src/forecast/pressure/withPressure.ts';
import type {ForecastStage} from '../../src/session/session.ts';
import type {ClusterStore} from '../../src/store/clusterStore.ts';

/** The pressure of a cluster that is watched: chooses whom to look at, remembers it, and tells forecasts of it. */
export class LivePressure implements ForecastStage {
	readonly #pressured: PressuredNodes;
	readonly #book = new PressureStore();
	readonly #now: () => Instant;
	readonly #store: ClusterStore;
	#problems: readonly Problem[] = [];
	#changedAt: Instant | undefined;
	/** What was last told. */
	#told: readonly PressureForecast[] = [];

	constructor(now: () => Instant, store: ClusterStore) {
		this.#now = now;
		this.#store = store;
		this.#pressured = new PressuredNodes(store);
	}

	get changedAt(): Instant | undefined {
		return this.#changedAt;
	}

	/** For whoever looks at kubelets. */
	get listener(): PressureListener {
		return {
			wanted: (now) => this.#pressured.wanted(now),
			onLook: (look) => {
				this.#changedAt = this.#now();
				this.#book.take(look);
				// Worked out at once, not with the next forecast: one that takes long makes the screen rest.
				const node = this.#store.nodes.get(look.node);
				if (node) this.#book.forecast(node, this.#now());
			},
			onReports: (reports) => {
				this.#changedAt = this.#now();
				this.#pressured.observeReports(reports);
				this.#book.takeReports(reports);
			},
			onProblems: (problems) => {
				this.#problems = problems;
			},
		};
	}

	/** Somebody wants to see a node: it is looked at soon, and for a while. */
	ask = (node: string): void => this.#pressured.ask(node, this.#now());

	/** A forecast that tells of pressure as well; of each node that is new to it, that takes a moment. */
	*tell(forecast: Forecast): Pausable<Forecast> {
		const wanted = new Set(this.#pressured.wanted(forecast.observedAt));
		this.#book.keep(wanted);
		const looked = new Set(this.#book.nodes);
		const told: PressureForecast[] = [];
		for (const {name} of forecast.nodes) {
			const node = this.#store.nodes.get(name);
			if (!node || !looked.has(name)) continue;
			told.push(this.#book.forecast(node, forecast.observedAt));
			yield;
		}
		this.#told = told;
		const problems = wanted.size > 0 ? this.#problems : [];
		const joined = withPressure(forecast, told, ({name}) => this.#store.nodes.get(name));
		return {...joined, problems: [...forecast.problems, ...problems]};
	}

	/** An explanation that covers pressure as well. */
	explained(explanation: Explanation | undefined, now: Instant): Explanation | undefined {
		return explanation && withPressureExplained(explanation, this.#told, now);
	}
}

/** Does some work while kubelets are looked at; the looks end with the work, or with the signal. */
export const withLooks = (
	cluster: Pick<Cluster, 'watchPressure'>,
	pressure: LivePressure,
	signal: AbortSignal,
	work: (signal: AbortSignal) => Promise<void>,
): Promise<void> => untilFirstEnds(signal, work, (end) => cluster.watchPressure(pressure.listener, end));
