import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {type Duration, second} from '../../core/time/instant.ts';
import type {ControllerAction} from '../../forecast/ledger/controllerAction.ts';
import type {Interval} from '../../forecast/observe/interval.ts';
import {Range} from '../../forecast/range.ts';

/** The queue is looked at every 100 ms, and the write of the first of two taints may wait in the client's line. */
const writeWait: Duration = 2.75 * second;

/**
 * Which of the nodes that wait is tainted next is chance, so that a forecast of one node allows it the first token. How far
 * apart two taints of a zone are is none: its bucket holds one token, and is empty after it.
 */
export class ZonePace {
	readonly #last = new Map<string, Interval>();

	/** Others that take over have buckets of their own, which are full; and what was not seen has an own pace. */
	startAnew(): void {
		this.#last.clear();
	}

	/** Takes in a taint of the controllers. @returns when it should have come, where it came too soon after the one before */
	tainted(
		{zone, at}: Pick<ControllerAction, 'zone' | 'at'>,
		{nodeEvictionRate, secondaryNodeEvictionRate}: ControllerSettings,
	): Range | undefined {
		const before = this.#last.get(zone);
		this.#last.set(zone, at);
		const fastest = Math.max(nodeEvictionRate, secondaryNodeEvictionRate);
		if (!before || fastest <= 0) return undefined;
		const earliest = before.lo + second / Math.fround(fastest) - writeWait;
		return at.hi < earliest ? new Range(earliest, earliest + writeWait, null) : undefined;
	}
}
