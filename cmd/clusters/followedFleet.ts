import {TaskGroup} from '../../src/async/taskGroup.ts';
import {systemClock} from '../../src/live/clock.ts';
import {Fleet, type FleetView} from '../../src/session/fleet.ts';
import type {ChosenContext, FleetOptions} from './chosenContexts.ts';
import {followMember} from './followMember.ts';
import {silenceLimit} from './limits.ts';

/** Forecasts of all clusters together take at most half of the time. */
const shareOfAll = 0.5;

export class FollowedFleet {
	readonly #fleet: Fleet;
	readonly #tasks = new TaskGroup();
	readonly #followed = new Map<string, {readonly member: ChosenContext; readonly end: AbortController}>();
	readonly #follow: (member: ChosenContext) => void;

	constructor(members: readonly ChosenContext[], options: FleetOptions) {
		this.#fleet = new Fleet(members.map(({name}) => name));
		const limits = {
			silence: silenceLimit(options.flags.requestTimeout),
			share: shareOfAll / members.length,
		};
		this.#follow = (member) => {
			const end = new AbortController();
			this.#followed.set(member.name, {member, end});
			const signal = AbortSignal.any([end.signal, this.#tasks.signal]);
			this.#tasks.add(followMember(this.#fleet, member, options, limits, signal));
		};
		for (const member of members) this.#follow(member);
	}

	/** Whether each has answered or was given up. */
	get isSettled(): boolean {
		return this.#fleet.isSettled;
	}

	view(): FleetView {
		return this.#fleet.view(systemClock.now());
	}

	/** Stops following one, as another part follows it. */
	leaveTo(name: string): void {
		this.#followed.get(name)?.end.abort();
	}

	/** Follows one again that another part has released; its last forecast is old. */
	takeBack(name: string): void {
		const left = this.#followed.get(name);
		if (!left?.end.signal.aborted) return;
		this.#fleet.update(name, {status: 'Connecting', summary: undefined, problems: []});
		this.#follow(left.member);
	}

	/** Stops following all of them. @throws errors of the followers that are bugs */
	async end(): Promise<void> {
		this.#tasks.end();
		await this.#tasks.ended();
	}

	/** Settles once none is followed. @throws as `end` */
	ended(): Promise<void> {
		return this.#tasks.ended();
	}
}
