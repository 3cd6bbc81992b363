import {type Duration, second} from '../../../core/time/instant.ts';
import type {Interval} from '../../observe/interval.ts';
import {formatLearnedRange, type LearnedRange} from '../setting.ts';
import type {Silence} from './behaviour.ts';
import {intersectLearned, type LearnedSetting, merge} from './learnedSetting.ts';

/** How long an undelayed write takes from the controller's decision to the API server. */
const writing: Duration = second / 5;

/**
 * Learns the grace period from nodes that turned Unknown. A pass notices a renewal up to one period after it, and the
 * silence up to one period after the grace period; so the time in between is at least the grace period, always, and at
 * most two periods more where nothing kept the controller from its rhythm.
 *
 * @param pass from one pass to the next
 */
export function learnGrace(silences: readonly Silence[], pass: Interval): LearnedGrace | undefined {
	const found = silences.flatMap((silence) => learnFrom(silence, pass) ?? []);
	const [first, ...others] = found;
	if (!first) return undefined;
	let learned = first;
	let contradictions = 0;
	for (const one of others) {
		if (!intersectLearned(learned.range, one.range)) contradictions += 1;
		learned = merge(learned, one);
	}
	return {learned, contradictions};
}

/** What the silences show, and how many contradict the others: then the passes are farther apart. */
type LearnedGrace = {readonly learned: LearnedSetting; readonly contradictions: number};

function learnFrom(
	{node, lastSign, lastPost, unknown, quietSince}: Silence,
	pass: Interval,
): LearnedSetting | undefined {
	const longest = unknown.hi - lastSign.lo;
	// A status makes the controller forget the lease, and take it for a new one a pass later.
	const passes = lastPost !== undefined && lastPost >= lastSign.lo - 2 * pass.hi ? 3 : 2;
	const isQuiet = quietSince <= lastSign.lo - pass.hi;
	const shortest = isQuiet ? unknown.lo - writing - lastSign.hi - passes * pass.hi : 0;
	if (longest <= 0) return undefined;
	const range: LearnedRange = [Math.max(0, shortest), longest];
	const silent = formatLearnedRange([unknown.lo - lastSign.hi, longest], 'duration');
	return {range, observations: [`node ${node} turned Unknown ${silent} after its last sign of life`]};
}
