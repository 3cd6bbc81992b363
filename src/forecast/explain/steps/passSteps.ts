import {forecastPass} from '../../conclude/nodeTurn.ts';
import type {PassPhase} from '../../infer/passPhase.ts';
import type {Interval} from '../../observe/interval.ts';
import {count, isoTime} from '../../words.ts';
import {type Draft, type Fact, fact, isoRange, whenOf} from '../explanation.ts';
import {clientFlags, periodFlag, type Situation} from '../situation.ts';

/** When the first monitor pass at or after an instant began, over all possible phases of the passes. */
export function passAfter(instant: Interval, {begins, period}: PassPhase): Interval {
	const every = (period.lo + period.hi) / 2;
	if (begins.hi - begins.lo >= every) return {lo: instant.lo, hi: instant.hi + every};
	const first = (from: number, phase: number) => phase - Math.floor((phase - from) / every) * every;
	// Within the range of phases the first pass may move by a whole period: then it may come at any instant of a period.
	const isSplit = (from: number) => first(from, begins.lo) > first(from, begins.hi);
	return {
		lo: isSplit(instant.lo) ? instant.lo : first(instant.lo, begins.lo),
		hi: isSplit(instant.hi) ? instant.hi + every : first(instant.hi, begins.hi),
	};
}

/** The known schedule of the monitor passes, and its source. */
export const phaseFact = ({passes: {phase}}: Situation) =>
	fact('controller', 'next monitor pass', isoRange(phase.begins), `known from: ${phase.source}`);

/** When the next monitor pass begins; during a throttled pass, its progress. */
export function passStep(situation: Situation): Draft {
	const {throttledPass, phase} = situation.passes;
	const rule = `${periodFlag(situation)}: the next pass begins this long after the end of the last`;
	if (!throttledPass) {
		return {
			at: whenOf(phase.begins),
			what: 'the next monitor pass begins: the controller checks all nodes',
			isAside: true,
			rule,
			evidence: () => [phaseFact(situation)],
		};
	}
	const {startedAt, marked, remaining} = throttledPass;
	return {
		at: startedAt,
		what: `a monitor pass began, and is still under way: it set ${count(marked.length, 'node')} to Unknown, about ${remaining.length} are left`,
		rule: () =>
			`${clientFlags(situation)}: the controller marks every pod of every lost node, and its client is not allowed to be faster; the zones are judged anew only when it ends`,
		evidence: () => passEnd(situation),
	};
}

function passEnd(situation: Situation): readonly Fact[] {
	const end = forecastPass(situation)?.endsAt;
	if (!end) return [];
	const value =
		end.latest === null
			? `${isoTime(end.earliest)} or later`
			: `${isoTime(end.earliest)}/${isoTime(end.latest)}`;
	return [fact('controller', 'end of this pass', value, 'at the pace that it has shown')];
}
