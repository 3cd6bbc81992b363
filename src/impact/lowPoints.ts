import type {ObservationSink, SinkEntry} from '../core/model/observation.ts';
import type {Related} from '../core/model/workloads/related.ts';
import {workloadKey} from '../core/model/workloads/workload.ts';
import type {Forecast} from '../forecast/forecast.ts';
import type {LowPoint} from '../forecast/lowPoint.ts';
import {workloadImpacts} from './workloadImpact.ts';

/** Collects the lowest number of ready pods of each workload during an outage. */
export class LowPoints implements ObservationSink {
	readonly #points = new Map<string, LowPoint>();
	#related: Related | undefined;
	#isNew = false;

	push(entry: SinkEntry) {
		if (entry.type !== 'related') return;
		const {related, at} = entry;
		this.#related = related;
		this.#isNew = true;
		for (const controller of related.controllers.values()) {
			const key = workloadKey(controller);
			const known = this.#points.get(key);
			if (!known || controller.ready >= known.lowest.ready) continue;
			this.#points.set(key, {...known, lowest: {ready: controller.ready, at}});
		}
	}

	/** Adds a forecast; only the first one after each reading of the workloads counts. */
	add(forecast: Forecast) {
		if (!this.#related || !this.#isNew) return;
		this.#isNew = false;
		for (const impact of workloadImpacts(forecast, this.#related)) {
			const {kind, name, namespace, desired, readyNow, lowest} = impact;
			if (desired === null || readyNow === null || this.#points.has(workloadKey(impact))) continue;
			const madeAt = forecast.observedAt;
			this.#points.set(workloadKey(impact), {
				kind,
				name,
				namespace,
				desired,
				readyBefore: readyNow,
				lowest: {ready: readyNow, at: madeAt},
				predicted: lowest.ready === null ? null : {ready: lowest.ready, at: lowest.at, madeAt},
			});
		}
	}

	/** The workloads that lost pods, the hardest hit first. */
	get points(): readonly LowPoint[] {
		const left = ({lowest, desired}: LowPoint) => lowest.ready / Math.max(1, desired);
		return [...this.#points.values()]
			.filter(({readyBefore, lowest}) => lowest.ready < readyBefore)
			.toSorted(
				(a, b) =>
					left(a) - left(b) || a.lowest.at - b.lowest.at || (workloadKey(a) < workloadKey(b) ? -1 : 1),
			);
	}
}
