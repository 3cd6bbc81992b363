import {TaskGroup} from '../../src/async/taskGroup.ts';
import {systemClock} from '../../src/live/clock.ts';
import {Fleet, type FleetView} from '../../src/session/fleet.ts';
import type {ChosenContext, FleetOptions} from './chosenContexts.ts';
import {followMember} from './followMember.ts';
import {silenceLimit} from './limits.ts';

/** Half of the time at the most goes into forecasts, whichever clusters they are of. */
const shareOfAll = 0.5;

/** Several clusters that are followed side by side. */
export class FollowedFleet {
	readonly #fleet: Fleet;
	readonly #tasks = new TaskGroup();
	readonly #ends = new Map<string, AbortController>();

	/** Begins to follow them. */
	constructor(members: readonly ChosenContext[], options: FleetOptions) {
		this.#fleet = new Fleet(members.map(({name}) => name));
		const limits = {
			silence: silenceLimit(options.flags.requestTimeout),
			share: shareOfAll / members.length,
		};
		for (const member of members) {
			const end = new AbortController();
			this.#ends.set(member.name, end);
			const signal = AbortSignal.any([end.signal, this.#tasks.signal]);
			this.#tasks.add(followMember(this.#fleet, member, options, limits, signal));
		}
	}

	/** Whether all were heard, or given up. */
	get isSettled(): boolean {
		return this.#fleet.isSettled;
	}

	/** All of them, as they are known now. */
	view(): FleetView {
		return this.#fleet.view(systemClock.now());
	}

	/** Follows one no more, as somebody else does. */
	leaveTo(name: string): void {
		this.#ends.get(name)?.abort();
	}

	/** Follows none of them any more. @throws what went wrong with them that is a bug */
	async end(): Promise<void> {
		this.#tasks.end();
		await this.#tasks.ended();
	}

	/** Settles once none is followed any more. @throws as `end` */
	ended(): Promise<void> {
		return this.#tasks.ended();
	}
}
