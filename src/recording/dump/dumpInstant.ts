import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import type {ToldTime} from './toldTimes.ts';

/** How far clocks may be apart that are called right: a leader lease that old has not expired yet. */
const tolerated: Duration = 10 * second;
/** How old the last heartbeat can be of a node that no controller has found dead yet. */
const patience: Duration = minute;
/** Within this, a difference between nodes is the death of some of them rather than a wrong clock of others. */
const widest: Duration = 2 * minute;

/** When a dump was written, as far as clocks that agree with each other tell. */
export type DumpInstant = {
	/** The newest time in it that can be believed; zero where it tells none. */
	readonly newest: Instant;
	/** The kubelets whose clocks are ahead of that, and how far. */
	readonly ahead: ReadonlyMap<string, Duration>;
};

/**
 * Finds the newest time of a dump. The API server's clock and the controllers' come first; a kubelet's word counts as
 * far as most of the others, of those that may be alive, agree with it.
 *
 * @param dead the nodes whose silence the controllers have noticed: old times of theirs mean nothing
 */
export function findInstant(times: readonly ToldTime[], dead: ReadonlySet<string>): DumpInstant {
	const server = newestOf(times.filter(({clock}) => clock === 'server'));
	const sure = Math.max(server, newestOf(times.filter(({clock}) => clock === 'creation')));
	const own = newestByNode(times.filter(({clock}) => clock === 'kubelet'));
	const alive = [...own].filter(([node, at]) => !dead.has(node) && at >= sure - patience);
	const voices = alive.length > 0 ? alive.map(([, at]) => at) : [...newestByNode(times).values()];
	const bound = boundOf(voices, server);
	// A taint or a transition is written by another clock than the heartbeats of its node.
	const believed = times.filter(({at, clock}) => at <= bound + (clock === 'other' ? slackOf(server) : 0));
	const newest = Math.max(sure, newestOf(believed));
	const ahead = [...own].filter(([, at]) => at > newest + tolerated);
	return {newest, ahead: new Map(ahead.map(([node, at]) => [node, at - newest]))};
}

const newestOf = (times: readonly {readonly at: Instant}[]): Instant =>
	times.reduce<Instant>((newest, {at}) => Math.max(newest, at), 0);

function newestByNode(times: readonly ToldTime[]): ReadonlyMap<string, Instant> {
	const newest = new Map<string, Instant>();
	for (const {node, at} of times) newest.set(node, Math.max(at, newest.get(node) ?? 0));
	return newest;
}

const slackOf = (server: Instant): Duration => (server > 0 ? tolerated : widest);

/** Up to when a kubelet's word is believed. Without anybody's, nothing is. */
function boundOf(voices: readonly Instant[], server: Instant): Instant {
	const agreeing = voices.filter((at) => at <= server + tolerated).length;
	// A clock of the servers decides where half of the kubelets agree with it; else they outlive a server that is down.
	if (server > 0 && 2 * agreeing >= voices.length) return server + tolerated;
	const heard = agreementOf(voices.toSorted((a, b) => a - b));
	const latest = heard.findLast(({count}) => 2 * count > voices.length);
	if (latest) return latest.at;
	// The earliest of those that most agree with: a clock is wrong more often than all nodes but one fall silent.
	return heard.reduce((best, one) => (one.count > best.count ? one : best), {at: 0, count: 0}).at;
}

/** For each time how many, itself among them, are as old or a little older. */
function agreementOf(sorted: readonly Instant[]): readonly {readonly at: Instant; readonly count: number}[] {
	let first = 0;
	return sorted.map((at, index) => {
		while ((sorted[first] ?? at) < at - widest) first += 1;
		return {at, count: index + 1 - first};
	});
}
