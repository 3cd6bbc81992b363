import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {type Duration, second} from '../../core/time/instant.ts';
import type {ControllerAction} from '../../forecast/ledger/controllerAction.ts';
import type {Interval} from '../../forecast/observe/interval.ts';
import {Range} from '../../forecast/range.ts';

/** The queue is checked every 100 ms, and the write of the earlier taint may wait for the client. */
const writeWait: Duration = 2.75 * second;

/**
 * Checks the time between two taints of a zone. The order of waiting nodes is random, so each forecast allows its node the
 * first token; but the zone's bucket holds one token, so the distance is not random.
 */
export function zonePace() {
	const last = new Map<string, Interval>();
	return {
		/** After a takeover the buckets are full, and after a gap the pace is unknown. */
		startAnew: () => last.clear(),
		/** Notes a taint. @returns its allowed range, if it came too soon after the one before */
		tainted: (
			{zone, at}: Pick<ControllerAction, 'zone' | 'at'>,
			{nodeEvictionRate, secondaryNodeEvictionRate}: ControllerSettings,
		): Range | undefined => {
			const before = last.get(zone);
			last.set(zone, at);
			const fastest = Math.max(nodeEvictionRate, secondaryNodeEvictionRate);
			if (!before || fastest <= 0) return undefined;
			const earliest = before.lo + second / Math.fround(fastest) - writeWait;
			return at.hi < earliest ? new Range(earliest, earliest + writeWait, null) : undefined;
		},
	};
}
