import type {Problem} from '../../core/model/clusterSnapshot.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {goDuration, someOf} from '../explain/words.ts';
import type {NodeEvidence} from './nodeEvidence.ts';

/** A kubelet's clock may differ by as much before anybody is told: a renewal takes its time to arrive. */
const tolerated: Duration = 3 * second;
/** Nodes named in a problem at the most. */
const mostNames = 5;

/** How far a kubelet's clock is ahead of the API server's, or behind it where negative; 0 where it is right, or unknown. */
export function clockSkew({renewTime, renewedAt}: NodeEvidence): Duration {
	if (renewTime === undefined || !renewedAt) return 0;
	const {lo, hi} = renewedAt;
	const isRight = renewTime >= lo - tolerated && renewTime <= hi + tolerated;
	return isRight ? 0 : renewTime - (lo + hi) / 2;
}

/** When a node's lease was really renewed last: the kubelet's word is the most exact, unless its clock is off. */
export function lastRenewal(one: NodeEvidence): Instant | undefined {
	return clockSkew(one) === 0 ? one.renewTime : one.renewedAt?.lo;
}

/** `3m0s ahead`, `12s behind`. */
export function skewWords(skew: Duration): string {
	const seconds = Math.round(Math.abs(skew) / second);
	return `${goDuration(seconds * second)} ${skew > 0 ? 'ahead' : 'behind'}`;
}

/**
 * Names the nodes whose clocks are off. Where those of most are, it is rather the clock that they are compared with,
 * which is told elsewhere.
 */
export function clockProblems(nodes: Iterable<NodeEvidence>): readonly Problem[] {
	let dated = 0;
	const off: string[] = [];
	for (const one of nodes) {
		if (one.renewTime !== undefined) dated += 1;
		const skew = clockSkew(one);
		if (skew !== 0) off.push(`${one.node.name} (${skewWords(skew)})`);
	}
	if (off.length === 0 || (dated > 2 && off.length * 2 > dated)) return [];
	const message = `the clock of a kubelet is wrong: ${someOf(off, mostNames)}; its renewals are dated by when they arrived`;
	return [{reason: 'ClockSkew', message}];
}
