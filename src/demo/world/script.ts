import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {DemoScenario, DemoStep} from './scenarios.ts';

/**
 * How long after a step nobody can know of it: a kubelet that stopped still looks alive until two renewals are
 * missing, a controller manager until its lease has run out. A forecast in that time assumes a world that is gone.
 */
const unseenFor: Readonly<Record<DemoStep['do'], Duration>> = {
	stopKubelets: 21 * second,
	startKubelets: second,
	stopControllers: 18 * second,
	startControllers: second,
	leak: second,
};

/** When a scenario that began at an instant changes the world. A forecast holds as long as nothing else happens. */
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

	/** Whether all that was changed can be seen. */
	isPlain(now: Instant): boolean {
		return !this.#steps.some(({at, seenAt}) => at <= now && now < seenAt);
	}
}
