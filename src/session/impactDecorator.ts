import {nothingRelated, type Related} from '../core/model/workloads/related.ts';
import type {Forecast} from '../forecast/forecast.ts';
import type {Pausable} from '../forecast/pausable.ts';
import type {After, PodForecast} from '../forecast/podForecast.ts';
import {podsWithAfterInSteps, problemsWith} from '../impact/withAfter.ts';
import {type WorkloadImpact, workloadImpacts} from '../impact/workloadImpact.ts';
import type {Session} from './session.ts';

/** What is known so far of the workloads of a forecast's pods. */
export type RelatedSource = (forecast: Forecast, session: Session) => Related;

/** A pod before and after its outcome was added. */
type DecoratedPod = {readonly plain: PodForecast; readonly withAfter: PodForecast};

/** Adds to forecasts what becomes of their pods; computed once for the same pods and workloads. */
export function impactDecorator(relatedOf: (forecast: Forecast) => Related) {
	/** Of the last forecast, by UID. */
	let lastPods: ReadonlyMap<string, DecoratedPod> = new Map();
	let last:
		| {
				readonly from: readonly PodForecast[];
				readonly related: Related;
				readonly pods: readonly PodForecast[];
		  }
		| undefined;
	let counted:
		| {
				readonly pods: readonly PodForecast[];
				readonly related: Related;
				readonly impacts: readonly WorkloadImpact[];
		  }
		| undefined;
	return {
		/** The impact of the last forecast on workloads; computed once. */
		impactsOf(forecast: Forecast): readonly WorkloadImpact[] {
			const related = last?.related ?? nothingRelated;
			const {pods} = forecast;
			if (counted?.pods !== pods || counted.related !== related)
				counted = {pods, related, impacts: workloadImpacts(forecast, related)};
			return counted.impacts;
		},
		*extend(plain: Forecast): Pausable<Forecast> {
			const related = relatedOf(plain);
			const problems = problemsWith(plain, related);
			if (last?.from === plain.pods && last.related === related) return {...plain, pods: last.pods, problems};
			const decorated = new Map<string, DecoratedPod>();
			const found = yield* podsWithAfterInSteps(plain, related, (pod, after) => {
				// A pod without changes keeps its object.
				const known = lastPods.get(pod.uid);
				const isSame =
					known?.plain === pod && known.withAfter.after && isSameAfter(known.withAfter.after, after);
				const withAfter = isSame ? known.withAfter : {...pod, after};
				decorated.set(pod.uid, {plain: pod, withAfter});
				return withAfter;
			});
			lastPods = decorated;
			// Results cached by a pod array survive if the pods are the same.
			const pods = last && isEqual(last.pods, found) ? last.pods : found;
			last = {from: plain.pods, related, pods};
			return {...plain, pods, problems};
		},
	};
}

const isEqual = (a: readonly PodForecast[], b: readonly PodForecast[]) =>
	a.length === b.length && a.every((pod, index) => pod === b[index]);

const isSameAfter = (a: After, b: After) =>
	a.outcome === b.outcome && a.detail === b.detail && a.placement === b.placement && a.ghost === b.ghost;
