import {Counter, Histogram} from 'prom-client';
import type {Instant} from '../../core/time/instant.ts';
import {pendingOf} from '../../forecast/pending.ts';
import {type Divergence, divergenceKinds, divergenceReasons} from '../compare/divergence.ts';
import type {Match, ShadowListener, ShadowView} from '../shadowView.ts';
import {BoundedLabels, otherLabel} from './boundedLabels.ts';
import {evictionFamilies, workloadFamily} from './evictions.ts';
import {type Exposition, expositionFor} from './exposition.ts';
import {type Family, newRegistry, register} from './family.ts';
import {judgementFamilies} from './judgement.ts';
import {processFamilies} from './ownProcess.ts';
import {type DeletedPods, inSeconds, type MetricsState, WorkloadSlots} from './state.ts';
import {zoneFamilies} from './zones.ts';

/** Zones beyond these share a label; real clusters have a few dozen. */
const mostZones = 200;
/** So many divergences are remembered to count each of them once. */
const mostRemembered = 10_000;

type MetricsOptions = {
	/** The time by the clock of the views. */
	readonly now: () => Instant;
	/** Our own version. */
	readonly version: string;
	/** How many workloads may have a series; zero for none. */
	readonly workloads: number;
	/** The label `cluster` of every metric; none has it where it is absent. */
	readonly cluster?: string | undefined;
};

/** The shadow as metrics. Everything is worked out when it is asked for, from the latest view. */
export class ShadowMetrics implements ShadowListener {
	readonly #registry = newRegistry();
	readonly #now: () => Instant;
	/** What a zone is called in every metric. */
	readonly zoneLabels: BoundedLabels;
	readonly #workloads: WorkloadSlots;
	readonly #errors: Histogram<'action'>;
	readonly #predictions: Counter<'action' | 'outcome'>;
	readonly #ended: Counter<'kind' | 'reason'>;
	readonly #tainted = new Map<string, number>();
	#deleted: DeletedPods = {DeletePod: 0, DeletePodForDevice: 0};
	readonly #unexpected = new Set<string>();
	#view: ShadowView | undefined;
	#state: MetricsState | undefined;
	#scrape: Promise<string> = Promise.resolve('');

	constructor({now, version, workloads, cluster}: MetricsOptions) {
		if (cluster) this.#registry.setDefaultLabels({cluster});
		this.#now = now;
		this.zoneLabels = new BoundedLabels({most: mostZones, now, freed: (zone) => this.#forget(zone)});
		this.#workloads = new WorkloadSlots(workloads);
		const registers = [this.#registry];
		for (const family of processFamilies) register(this.#registry, family, () => version);
		for (const family of shadowFamilies(workloads > 0)) register(this.#registry, family, () => this.#state);
		this.#errors = new Histogram({
			name: 'evictwatch_prediction_error_seconds',
			help: 'How far from its median an action of the controllers came, before or after it.',
			labelNames: ['action'],
			buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
			registers,
		});
		this.#predictions = new Counter({
			name: 'evictwatch_predictions_total',
			help: 'Actions of the controllers that had been predicted, by whether they came inside, before or after their range.',
			labelNames: ['action', 'outcome'],
			registers,
		});
		this.#ended = new Counter({
			name: 'evictwatch_divergences_ended_total',
			help: 'Divergences that ended, by how they ended and their last reason: a Missing action was never seen, a Late one came after all.',
			labelNames: ['kind', 'reason'],
			registers,
		});
		// A counter that appears with its first count hides that count from increase().
		for (const kind of divergenceKinds)
			for (const reason of divergenceReasons) this.#ended.inc({kind, reason}, 0);
	}

	/** Adds a family that is made of something else than the view. */
	add<State>(family: Family<State>, state: () => State | undefined): void {
		register(this.#registry, family, state);
	}

	readonly matched = ({action, zone, error, isInside}: Match): void => {
		this.#errors.observe({action}, inSeconds(Math.abs(error)));
		const outcome = isInside ? 'inside' : error < 0 ? 'before' : 'after';
		this.#predictions.inc({action, outcome});
		this.#count(action, zone);
	};

	/** What had been predicted comes as a match as well; here only what had not been is counted as an action, once. */
	readonly diverged = ({id, kind, action, zone, reason, endedAt}: Divergence): void => {
		if (endedAt !== null) this.#ended.inc({kind, reason});
		if (kind !== 'Unexpected' || this.#unexpected.has(id)) return;
		const [oldest] = this.#unexpected;
		if (this.#unexpected.size >= mostRemembered && oldest !== undefined) this.#unexpected.delete(oldest);
		this.#unexpected.add(id);
		this.#count(action, zone);
	};

	readonly changed = (view: ShadowView): void => {
		this.#view = view;
		// Zones that are there keep their labels also where nobody has asked for metrics in a while.
		for (const {zone} of view.forecast.zones) this.zoneLabels.labelOf(zone);
	};

	/** The metrics as they are, in the format that an Accept header asks for. Two that ask at once are served one by one. */
	async exposition(accept: string): Promise<Exposition> {
		const scrape = this.#scrape.then(() => {
			this.#state = this.#currentState();
			return this.#registry.metrics();
		});
		this.#scrape = scrape.catch(() => '');
		return expositionFor(accept, await scrape);
	}

	#count(action: Match['action'], zone: string): void {
		if (action === 'DeletePod' || action === 'DeletePodForDevice')
			this.#deleted = {...this.#deleted, [action]: this.#deleted[action] + 1};
		if (action !== 'TaintNode') return;
		this.#addTainted(this.zoneLabels.labelOf(zone), 1);
	}

	#addTainted(label: string, count: number): void {
		this.#tainted.set(label, (this.#tainted.get(label) ?? 0) + count);
	}

	/** A counter loses nothing: what a zone without a label had counts with the others. */
	#forget(zone: string): void {
		const count = this.#tainted.get(zone);
		if (!this.#tainted.delete(zone) || count === undefined) return;
		this.#addTainted(otherLabel, count);
	}

	#currentState(): MetricsState | undefined {
		const view = this.#view;
		if (!view) return undefined;
		return {
			view,
			now: this.#now(),
			pending: pendingOf(view.forecast.pods),
			zoneLabels: this.zoneLabels,
			workloads: this.#workloads,
			tainted: this.#tainted,
			deleted: this.#deleted,
		};
	}
}

/** All families that are made of the view. */
export const shadowFamilies = (hasWorkloads: boolean): readonly Family<MetricsState>[] => [
	...zoneFamilies,
	...evictionFamilies,
	...(hasWorkloads ? [workloadFamily] : []),
	...judgementFamilies,
];
