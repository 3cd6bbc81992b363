import type {Forecast} from '../forecast/forecast.ts';
import {stopInBrief} from '../forecast/words.ts';
import type {HeldTime, Mutable, OutageEvent} from './outage.ts';

/** Follows what holds evictions, from forecast to forecast. */
export class HeldTimes {
	readonly #open = new Map<string, Mutable<HeldTime>>();
	readonly #times: HeldTime[] = [];
	readonly #tell: (happening: OutageEvent) => void;

	constructor(tell: (happening: OutageEvent) => void) {
		this.#tell = tell;
	}

	get times(): readonly HeldTime[] {
		return this.#times;
	}

	add({pods, observedAt: at}: Forecast): void {
		const now = new Map<string, {by: string; pods: number; releasedBy: string}>();
		for (const {held} of pods) {
			if (!held) continue;
			const one = now.get(stopInBrief(held.by)) ?? {by: held.by, pods: 0, releasedBy: held.releasedBy};
			one.pods += 1;
			now.set(stopInBrief(held.by), one);
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
			this.#tell({at, kind: 'zone', text: `evictions are no longer held (${kind})`});
		}
	}

	#begin(time: Mutable<HeldTime>): void {
		this.#open.set(stopInBrief(time.by), time);
		this.#times.push(time);
		this.#tell({at: time.from, kind: 'zone', text: `evictions are held: ${time.by}`});
	}
}
