import type {Observation} from '../../../src/core/model/observation.ts';
import {type Pod, podKey} from '../../../src/core/model/pod.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import type {Forecast} from '../../../src/forecast/forecast.ts';
import type {PodForecast} from '../../../src/forecast/podForecast.ts';
import type {Range} from '../../../src/forecast/range.ts';

/** A forecast from one list, or from a watch. */
export type Look = 'cold' | 'warm';

/** A forecast's claim about a pod: a range, or that it stays, or that it is held as long as nothing else happens. */
type Claim = {
	readonly forecast: Forecast;
	readonly look: Look;
	readonly verdict: PodForecast['verdict'];
	readonly range: {readonly earliest: Instant; readonly latest: Instant} | undefined;
};

const tolerance = second;

/** Keeps the forecasts' claims about each pod, and finds the wrong ones. */
export class Claims {
	readonly #origin: Instant;
	readonly #claims = new Map<string, Claim[]>();
	readonly #pods = new Map<string, Pod>();
	readonly #faults: string[] = [];
	#deletions = 0;
	#judged = 0;

	constructor(origin: Instant, pods: readonly Pod[]) {
		this.#origin = origin;
		for (const pod of pods) this.#pods.set(podKey(pod), pod);
	}

	/** The wrong claims with their reasons; times are in seconds from the demo's start. */
	get faults(): readonly string[] {
		return this.#faults;
	}

	/** The number of deletions, and of claims compared with the truth. */
	get counts(): {readonly deletions: number; readonly judged: number} {
		return {deletions: this.#deletions, judged: this.#judged};
	}

	add(forecast: Forecast, look: Look): void {
		for (const {uid, verdict, eviction} of forecast.pods) {
			if (!['Scheduled', 'Expected', 'Stays', 'Held'].includes(verdict)) continue;
			const range = eviction && isBounded(eviction) ? eviction : undefined;
			if (verdict !== 'Stays' && verdict !== 'Held' && !range) continue;
			const claims = this.#claims.get(uid) ?? [];
			claims.push({forecast, look, verdict, range});
			this.#claims.set(uid, claims);
		}
	}

	observe(observation: Observation, at: Instant): void {
		if (observation.type === 'podApplied') {
			const {pod} = observation;
			const before = this.#pods.get(podKey(pod));
			this.#pods.set(podKey(pod), pod);
			const wasAsked = before?.uid === pod.uid && before.deletionTimestamp !== undefined;
			if (pod.deletionTimestamp !== undefined && !wasAsked) this.#deleted(pod, at);
		} else if (observation.type === 'podDeleted') {
			const pod = this.#pods.get(podKey(observation));
			this.#pods.delete(podKey(observation));
			if (pod && pod.deletionTimestamp === undefined) this.#deleted(pod, at);
		}
	}

	/** Drops all claims, because from here on something else happens. */
	forget(now: Instant): void {
		for (const pod of this.#pods.values()) {
			for (const claim of this.#claims.get(pod.uid) ?? []) {
				if (!claim.range || claim.range.latest + tolerance >= now) continue;
				this.#judged++;
				this.#faults.push(this.#faultOf(claim, pod, undefined));
			}
		}
		this.#claims.clear();
	}

	#deleted(pod: Pod, at: Instant): void {
		this.#deletions++;
		for (const claim of this.#claims.get(pod.uid) ?? []) {
			this.#judged++;
			const {range} = claim;
			const isInside = range && at >= range.earliest - tolerance && at <= range.latest + tolerance;
			if (!isInside) this.#faults.push(this.#faultOf(claim, pod, at));
		}
		this.#claims.delete(pod.uid);
	}

	#faultOf({forecast, look, verdict, range}: Claim, pod: Pod, deletedAt: Instant | undefined): string {
		const seconds = (instant: Instant) => ((instant - this.#origin) / second).toFixed(2);
		const said = range ? `${verdict} ${seconds(range.earliest)}..${seconds(range.latest)}` : verdict;
		const truth = deletedAt === undefined ? 'not deleted' : `deleted at ${seconds(deletedAt)}`;
		const when = `${look} at ${seconds(forecast.observedAt)}`;
		return `${podKey(pod)} on ${pod.nodeName}: ${when} said ${said}, ${truth}; ${sceneOf(forecast, pod.nodeName)}`;
	}
}

const isBounded = (range: Range): range is Range & {readonly latest: Instant} => range.latest !== null;

/** The states of a node and of its zone in the forecast. */
function sceneOf({nodes, zones}: Forecast, name: string): string {
	const node = nodes.find((candidate) => candidate.name === name);
	const zone = zones.find((candidate) => candidate.zone === node?.zone);
	const others = nodes.filter((candidate) => candidate.zone === node?.zone);
	const counts = Map.groupBy(others, ({verdict}) => verdict);
	const verdicts = [...counts].map(([verdict, {length}]) => `${length} ${verdict}`).join(', ');
	return `node ${node?.verdict}, zone ${zone?.zone} ${zone?.state} at ${zone?.rate}/s (${verdicts})`;
}
