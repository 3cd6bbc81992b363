import {untilFirstEnds} from '../../src/async/taskGroup.ts';
import type {Duration} from '../../src/core/time/instant.ts';
import {ScoreKeeper} from '../../src/forecast/ledger/score.ts';
import {systemClock} from '../../src/live/clock.ts';
import {Fleet} from '../../src/session/fleet.ts';
import {ClusterStore} from '../../src/store/clusterStore.ts';
import {Follower} from '../output/follow.ts';
import {Interruption} from '../output/interruption.ts';
import {show} from '../output/show.ts';
import type {Terminal} from '../output/terminal.ts';
import {chosenContexts, type FleetOptions} from './chosenContexts.ts';
import {clusterListing} from './clusterListing.ts';
import {FollowedFleet} from './followedFleet.ts';
import {silenceLimit} from './limits.ts';
import {lookAtMember} from './lookAtMember.ts';

/** As often as a session shows changes at the most. */
const pause: Duration = 250;

/** The command `clusters`: several clusters, one row each. */
export async function clusters(options: FleetOptions, terminal: Terminal): Promise<number> {
	// Before all that takes time.
	const interruption = options.watch ? new Interruption() : undefined;
	const members = await chosenContexts(options);
	const silence = silenceLimit(options.flags.requestTimeout);
	if (!interruption) {
		const fleet = new Fleet(members.map(({name}) => name));
		await Promise.all(members.map((member) => lookAtMember(fleet, member, options, silence)));
		const now = systemClock.now();
		return show(clusterListing, {forecast: fleet.view(now), now, namespace: undefined}, options, terminal);
	}
	const fleet = new FollowedFleet(members, options);
	await untilFirstEnds(
		interruption.signal,
		() => fleet.ended(),
		(end) => printUntil(end, fleet, options, terminal, silence).finally(() => fleet.end()),
	);
	interruption.passOn();
	return 0;
}

/** Prints all rows once each cluster was heard or is late, and then what changes. */
async function printUntil(
	signal: AbortSignal,
	fleet: FollowedFleet,
	options: FleetOptions,
	terminal: Terminal,
	silence: Duration,
): Promise<void> {
	const follower = new Follower(clusterListing, undefined, options, terminal);
	const {score} = new ScoreKeeper(new ClusterStore());
	const firstBy = systemClock.now() + silence + pause;
	while (!signal.aborted) {
		const now = systemClock.now();
		if (fleet.isSettled || now >= firstBy) await follower.publish(fleet.view(), now, score);
		await systemClock.sleepUntil(now + pause, signal);
	}
}
