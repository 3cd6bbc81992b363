import {Counter, Histogram} from 'prom-client';
import type {Instant} from '../../core/time/instant.ts';
import {pendingOf} from '../../forecast/pending.ts';
import {type Divergence, divergenceKinds, divergenceReasons} from '../compare/divergence.ts';
import type {MatchedAction, ShadowListener, ShadowView} from '../shadowView.ts';
import {boundedLabels} from './boundedLabels.ts';
import {evictionFamilies, workloadFamily} from './evictions.ts';
import {type Exposition, expositionFor} from './exposition.ts';
import {type Family, newRegistry, register} from './family.ts';
import {judgementFamilies} from './judgement.ts';
import {processFamilies} from './ownProcess.ts';
import {inSeconds, type MetricsState, WorkloadSlots} from './state.ts';
import {zoneFamilies} from './zones.ts';

/** Further zones share a label; real clusters have a few dozen. */
const maxZones = 200;
/** Number of remembered divergences, to count each only once. */
const maxRemembered = 10_000;

type MetricsOptions = Readonly<{
	/** The time by the clock of views. */
	now: () => Instant;
	version: string;
	/** Maximum number of workloads with their own series; zero for none. */
	workloads: number;
	/** The label `cluster` of every metric, if set. */
	cluster?: string | undefined;
}>;

/** The shadow as metrics, computed at each scrape from the latest view. */
export class ShadowMetrics implements ShadowListener {
	readonly #registry = newRegistry();
	readonly #now: () => Instant;
	readonly zoneLabels = boundedLabels(maxZones);
	readonly #workloads: WorkloadSlots;
	readonly #errors: Histogram<'action'>;
	readonly #predictions: Counter<'action' | 'outcome'>;
	readonly #ended: Counter<'kind' | 'reason'>;
	readonly #tainted: Counter<'zone'>;
	readonly #deleted: Readonly<Record<'DeletePod' | 'DeletePodForDevice', Counter>>;
	readonly #unexpected = new Set<string>();
	#view: ShadowView | undefined;
	#state: MetricsState | undefined;
	#scrape: Promise<string> = Promise.resolve('');

	constructor({now, version, workloads, cluster}: MetricsOptions) {
		if (cluster) this.#registry.setDefaultLabels({cluster});
		this.#now = now;
		this.#workloads = new WorkloadSlots(workloads);
		const registers = [this.#registry];
		const counter = <Name extends string>(name: string, help: string, ...labelNames: Name[]) =>
			new Counter({name: `evictwatch_${name}_total`, help, labelNames, registers});
		for (const family of processFamilies) register(this.#registry, family, () => version);
		for (const family of shadowFamilies(workloads > 0)) register(this.#registry, family, () => this.#state);
		this.#errors = new Histogram({
			name: 'evictwatch_prediction_error_seconds',
			help: 'How far from its median an action of the controllers came, before or after it.',
			labelNames: ['action'],
			buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
			registers,
		});
		this.#predictions = counter(
			'predictions',
			'Actions of the controllers that had been predicted, by whether they came inside, before or after their range.',
			...(['action', 'outcome'] as const),
		);
		this.#ended = counter(
			'divergences_ended',
			'Divergences that ended, by how they ended and their last reason: a Missing action was never seen, a Late one came after all.',
			...(['kind', 'reason'] as const),
		);
		this.#tainted = counter(
			'node_collector_evictions',
			'Nodes of the zone that the controllers tainted NoExecute since this process started, as node_collector_evictions_total.',
			'zone',
		);
		this.#deleted = {
			DeletePod: counter(
				'taint_eviction_controller_pod_deletions',
				'Pods that the controllers deleted since this process started, as taint_eviction_controller_pod_deletions_total.',
			),
			DeletePodForDevice: counter(
				'device_taint_eviction_controller_pod_deletions',
				'The same for tainted devices, as device_taint_eviction_controller_pod_deletions_total.',
			),
		};
		// A counter that first appears with a count hides that count from increase().
		for (const kind of divergenceKinds)
			for (const reason of divergenceReasons) this.#ended.inc({kind, reason}, 0);
	}

	/** Adds a family with its own state. */
	add<State>(family: Family<State>, state: () => State | undefined) {
		register(this.#registry, family, state);
	}

	readonly matched = ({action, zone, error, isInside}: MatchedAction) => {
		this.#errors.observe({action}, inSeconds(Math.abs(error)));
		const outcome = isInside ? 'inside' : error < 0 ? 'before' : 'after';
		this.#predictions.inc({action, outcome});
		this.#count(action, zone);
	};

	/** Predicted actions are counted as matches; here only unpredicted ones are, once. */
	readonly diverged = ({id, kind, action, zone, reason, endedAt}: Divergence) => {
		if (endedAt !== null) this.#ended.inc({kind, reason});
		if (kind !== 'Unexpected' || this.#unexpected.has(id)) return;
		const [oldest] = this.#unexpected;
		if (this.#unexpected.size >= maxRemembered && oldest !== undefined) this.#unexpected.delete(oldest);
		this.#unexpected.add(id);
		this.#count(action, zone);
	};

	readonly changed = (view: ShadowView) => {
		this.#view = view;
		// Existing zones keep their labels even without scrapes.
		for (const {zone} of view.forecast.zones) this.zoneLabels(zone);
	};

	/** The current metrics, in the format of an Accept header. Concurrent scrapes are served one after the other. */
	async exposition(accept: string): Promise<Exposition> {
		const scrape = this.#scrape.then(() => {
			const view = this.#view;
			this.#state = view && {
				view,
				now: this.#now(),
				pending: pendingOf(view.forecast.pods),
				zoneLabels: this.zoneLabels,
				workloads: this.#workloads,
			};
			return this.#registry.metrics();
		});
		this.#scrape = scrape.catch(() => '');
		return expositionFor(accept, await scrape);
	}

	#count(action: MatchedAction['action'], zone: string) {
		if (action === 'DeletePod' || action === 'DeletePodForDevice') this.#deleted[action].inc();
		if (action === 'TaintNode') this.#tainted.inc({zone: this.zoneLabels(zone)});
	}
}

/** All families that are computed from the view. */
export const shadowFamilies = (hasWorkloads: boolean): readonly Family<MetricsState>[] => [
	...zoneFamilies,
	...evictionFamilies,
	...(hasWorkloads ? [workloadFamily] : []),
	...judgementFamilies,
];
