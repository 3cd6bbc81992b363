import {type Duration, type Instant, second} from '../../../src/core/time/instant.ts';
import type {DemoScenario, DemoStep} from '../../../src/demo/world/scenarios.ts';

/**
 * How long a step stays invisible: a stopped kubelet looks alive until two renewals are missing, a stopped controller
 * manager until its lease has expired. A forecast made in that time rests on a state that is over.
 */
const unseenFor: Readonly<Record<DemoStep['do'], Duration>> = {
	stopKubelets: 21 * second,
	startKubelets: second,
	stopControllers: 18 * second,
	startControllers: second,
	leak: second,
};

/** When a scenario changes the world. A forecast is valid until the next change. */
export class Script {
	readonly #steps: readonly {readonly at: Instant; readonly seenAt: Instant}[];

	constructor({steps}: DemoScenario, startedAt: Instant) {
		this.#steps = steps.map((step) => {
			const at = startedAt + step.after;
			return {at, seenAt: at + unseenFor[step.do]};
		});
	}

	/** The last change up to and including an instant; undefined before the first. */
	lastChange(now: Instant): Instant | undefined {
		return this.#steps.findLast(({at}) => at <= now)?.at;
	}

	/** Whether all changes so far are visible. */
	isPlain(now: Instant): boolean {
		return !this.#steps.some(({at, seenAt}) => at <= now && now < seenAt);
	}
}
