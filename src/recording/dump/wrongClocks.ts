import {unique} from '../../core/collections/unique.ts';
import {type Lease, nodeLeaseNamespace} from '../../core/model/lease.ts';
import type {Problem} from '../../core/model/problem.ts';
import {type Duration, minute, second} from '../../core/time/instant.ts';
import {someOf} from '../../text/someOf.ts';
import type {DumpInstant} from './dumpInstant.ts';
import type {Timestamp} from './timestamps.ts';

/** After this silence, a controller has certainly marked the node, even with the longest usual grace period. */
const noticedAfter: Duration = 75 * second;
/** Maximum number of nodes in a message. */
export const mostNamed = 5;

/**
 * Undates the renewals of kubelets whose clocks are ahead of all others: they are only known to be newer than those after which a
 * controller, which uses arrival times, would have marked the node.
 */
export function checkClocks(leases: readonly Lease[], {newest, ahead}: DumpInstant) {
	const renewedBetween = {lo: newest - noticedAfter, hi: newest};
	const isWrong = ({namespace, name, writes = []}: Lease) =>
		namespace === nodeLeaseNamespace && ahead.has(name) && writes.length === 0;
	return {
		leases: leases.map((lease) => (isWrong(lease) ? {...lease, renewedBetween} : lease)),
		problems: skewProblem(ahead),
	};
}

function skewProblem(nodes: ReadonlyMap<string, Duration>): readonly Problem[] {
	if (nodes.size === 0) return [];
	const sorted = [...nodes].toSorted(([, a], [, b]) => b - a);
	const clocks = sorted.map(([name, by]) => `${name} by ${Math.round(by / second)} s`);
	const message = `the clock of the kubelet is ahead on ${someOf(clocks, mostNamed)}: what it says is left out, and whether it is alive cannot be told`;
	return [{reason: 'ClockSkew', message}];
}

/** By more than this no clock of a cluster is ahead of the one that reads its dump. */
const mostAhead: Duration = 24 * 60 * minute;

/**
 * The times of a dump, without those of controllers that are still to come when it is read, unless all are; and those. Of
 * kubelets' clocks other times judge.
 */
export function pastAndFuture(times: readonly Timestamp[]) {
	const latest = Date.now() + mostAhead;
	const isToCome = ({at, clock}: Timestamp) => clock !== 'kubelet' && at > latest;
	const toCome = times.filter(isToCome);
	return toCome.length === times.length
		? {past: times, toCome: []}
		: {past: times.filter((time) => !isToCome(time)), toCome};
}

export function futureProblem(toCome: readonly Timestamp[]): readonly Problem[] {
	if (toCome.length === 0) return [];
	const names = someOf(unique(toCome.map(({node}) => node)), mostNamed);
	const message = `times of ${names} are in the future: they do not count for the instant of the file`;
	return [{reason: 'ClockSkew', message}];
}
