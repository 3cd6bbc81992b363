import type {Node} from '../../../core/model/node.ts';
import type {Problem} from '../../../core/model/problem.ts';
import {type Duration, median, second} from '../../../core/time/instant.ts';
import {goDuration, someOf} from '../../words.ts';
import {clockSkew, distanceOf, type LeaseRenewal, tolerated} from './kubeletClock.ts';

const mostNames = 5;

/** `3m0s ahead`, `12s behind`. */
export function skewWords(skew: Duration): string {
	const seconds = Math.round(Math.abs(skew) / second);
	return `${goDuration(seconds * second)} ${skew > 0 ? 'ahead' : 'behind'}`;
}

/**
 * Reports nodes with wrong clocks. What most have in common is of the clock that they are compared with, or of the way that their
 * renewals take, as of a watch that lags: it is reported elsewhere.
 *
 * @param hadGap whether not everything was seen lately: a renewal may have come late, so that no clock is called wrong for it
 */
export function clockProblems(
	nodes: Iterable<
		LeaseRenewal & {
			readonly node: Pick<Node, 'name'>;
			readonly ignored?: LeaseRenewal | undefined;
			/** Told by what read the file. */
			readonly hasWrongClock?: boolean;
		}
	>,
	hadGap = false,
): readonly Problem[] {
	const distances: Duration[] = [];
	const off: [name: string, skew: Duration, distance: Duration][] = [];
	const back: typeof off = [];
	for (const one of nodes) {
		const distance = distanceOf(one);
		if (one.renewTime !== undefined) distances.push(distance);
		const skew = clockSkew(one.ignored ?? one);
		if (skew !== 0 && !one.hasWrongClock && (one.ignored || !hadGap))
			(one.ignored ? back : off).push([one.node.name, skew, distance]);
	}
	const common = (distances.length > 2 && off.length > 0 && median(distances)) || 0;
	const own = off.filter(([, , distance]) => Math.abs(distance - common) > tolerated);
	const messages = [
		[own, 'is wrong', 'its renewals are dated by when they arrived'],
		[
			back,
			'was set back',
			'the controllers count its renewals again once their time is later than that of the last before',
		],
	] as const;
	return messages.flatMap(([nodes, how, then]) => {
		const names = someOf(
			nodes.map(([name, skew]) => `${name} (${skewWords(skew)})`),
			mostNames,
		);
		return names === ''
			? []
			: {reason: 'ClockSkew', message: `the clock of a kubelet ${how}: ${names}; ${then}`};
	});
}
