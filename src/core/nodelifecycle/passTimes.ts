import {beginningOfTime, type Instant} from '../time/instant.ts';
import type {ProcessSettings} from './processSettings.ts';
import {nodeEvictionPeriod} from './zones/rateLimitedTimedQueue.ts';
import type {Zones} from './zones/zones.ts';

type WakeForPass = (at: Instant, pass: 'monitorPass' | 'noExecutePass') => void;

/** When the periodic passes begin. The NoExecute pass is scheduled only while nodes wait, always on one 100 ms grid. */
export class PassTimes {
	readonly #noExecuteBesidePass: ProcessSettings['noExecuteBesidePass'];
	readonly #wakeAt: WakeForPass;
	/** When the next NoExecute pass would begin; set while none is scheduled because nothing waits. */
	#idleNoExecutePassAt: Instant | undefined;
	/** When the next monitor pass begins, or the current one began. */
	#monitorPassAt: Instant = beginningOfTime;

	constructor(noExecuteBesidePass: ProcessSettings['noExecuteBesidePass'], wakeAt: WakeForPass) {
		this.#noExecuteBesidePass = noExecuteBesidePass;
		this.#wakeAt = wakeAt;
	}

	/** Starts the periods; no monitor pass is scheduled while one is in progress. */
	start(monitorPassAt: Instant | undefined, noExecutePassAt: Instant) {
		this.#wakeAt(noExecutePassAt, 'noExecutePass');
		if (monitorPassAt !== undefined) this.scheduleMonitorPass(monitorPassAt);
	}

	scheduleMonitorPass(at: Instant) {
		this.#monitorPassAt = at;
		this.#wakeAt(at, 'monitorPass');
	}

	/** A NoExecute pass has ended: the next is due one period later. */
	endNoExecutePass(now: Instant) {
		this.#idleNoExecutePassAt = now + nodeEvictionPeriod;
	}

	/**
	 * Schedules the next NoExecute pass if nodes wait for it.
	 *
	 * @param isQuiet whether nothing happens before the next token or monitor pass, shortly before which it is scheduled
	 */
	scheduleNoExecutePass(now: Instant, zones: Zones, isQuiet: boolean) {
		const due = this.#idleNoExecutePassAt;
		if (due === undefined || !zones.someWait) return;
		const quietUntil = isQuiet ? Math.min(now + zones.waitAt(now), this.#monitorPassAt) : now;
		// Starts two periods early, because events at one instant run in the order in which they were scheduled.
		const from = Math.max(now, quietUntil - 2 * nodeEvictionPeriod);
		const periods = Math.max(0, Math.ceil((from - due) / nodeEvictionPeriod));
		this.#idleNoExecutePassAt = undefined;
		this.#wakeAt(due + periods * nodeEvictionPeriod, 'noExecutePass');
	}

	/** Whether the queues wait for a monitor pass that is about to begin, or until one that has just begun ends. */
	isLeftToMonitorPass(now: Instant, isPassAtWork: boolean) {
		const since = now - this.#monitorPassAt;
		const isSoon = since < 0 && since > -nodeEvictionPeriod;
		const waitsForEnd =
			this.#noExecuteBesidePass === 'afterPass' && isPassAtWork && since < nodeEvictionPeriod;
		return this.#noExecuteBesidePass !== undefined && (isSoon || waitsForEnd);
	}

	fork(wakeAt: WakeForPass): PassTimes {
		const copy = new PassTimes(this.#noExecuteBesidePass, wakeAt);
		copy.#idleNoExecutePassAt = this.#idleNoExecutePassAt;
		copy.#monitorPassAt = this.#monitorPassAt;
		return copy;
	}
}
