import type {Node} from '../../../core/model/node.ts';
import type {Problem} from '../../../core/model/problem.ts';
import {type Duration, second} from '../../../core/time/instant.ts';
import {goDuration, someOf} from '../../words.ts';
import {clockSkew, type LeaseRenewal} from './kubeletClock.ts';

const mostNames = 5;

/** `3m0s ahead`, `12s behind`. */
export function skewWords(skew: Duration): string {
	const seconds = Math.round(Math.abs(skew) / second);
	return `${goDuration(seconds * second)} ${skew > 0 ? 'ahead' : 'behind'}`;
}

/** Reports nodes with wrong clocks. If most are, the clock they are compared with is wrong, which is reported elsewhere. */
export function clockProblems(
	nodes: Iterable<
		LeaseRenewal & {readonly node: Pick<Node, 'name'>; readonly ignored?: LeaseRenewal | undefined}
	>,
): readonly Problem[] {
	let dated = 0;
	const off: string[] = [];
	const back: string[] = [];
	for (const one of nodes) {
		if (one.renewTime !== undefined) dated += 1;
		const skew = clockSkew(one.ignored ?? one);
		if (skew !== 0) (one.ignored ? back : off).push(`${one.node.name} (${skewWords(skew)})`);
	}
	const isOurs = dated > 2 && off.length * 2 > dated;
	const messages = [
		`the clock of a kubelet is wrong: ${someOf(off, mostNames)}; its renewals are dated by when they arrived`,
		`the clock of a kubelet was set back: ${someOf(back, mostNames)}; the controllers count its renewals again once their time is later than that of the last before`,
	];
	return [isOurs ? [] : off, back].flatMap(({length}, index) =>
		length > 0 ? {reason: 'ClockSkew', message: messages[index] ?? ''} : [],
	);
}
