import {kept} from '../core/collections/kept.ts';
import type {Forecast} from '../forecast/forecast.ts';
import {stopInBrief} from '../forecast/words.ts';
import type {HeldTime, Mutable, OutageEvent} from './outage.ts';

/** Records from one forecast to the next what holds evictions. */
export class HeldTimes {
	readonly #open = new Map<string, Mutable<HeldTime>>();
	readonly #times: HeldTime[] = [];
	readonly #report: (happening: OutageEvent) => void;

	constructor(report: (happening: OutageEvent) => void) {
		this.#report = report;
	}

	get times(): readonly HeldTime[] {
		return this.#times;
	}

	add({pods, observedAt: at}: Forecast): void {
		const now = new Map<string, {by: string; pods: number; releasedBy: string}>();
		for (const {held} of pods) {
			if (!held) continue;
			const {by, releasedBy} = held;
			kept(now, stopInBrief(by), () => ({by, pods: 0, releasedBy})).pods += 1;
		}
		for (const [kind, {by, pods: count, releasedBy}] of now) {
			const open = this.#open.get(kind);
			if (open) open.pods = Math.max(open.pods, count);
			else this.#begin({by, from: at, to: undefined, pods: count, releasedBy});
		}
		for (const [kind, open] of this.#open) {
			if (now.has(kind)) continue;
			open.to = at;
			this.#open.delete(kind);
			this.#report({at, kind: 'zone', text: `pods are no longer held; before: ${kind}`});
		}
	}

	#begin(time: Mutable<HeldTime>): void {
		this.#open.set(stopInBrief(time.by), time);
		this.#times.push(time);
		this.#report({at: time.from, kind: 'zone', text: `pods are held: ${time.by}`});
	}
}
