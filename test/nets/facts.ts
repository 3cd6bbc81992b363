import type {Said} from './calls.ts';

/** From the earliest to the latest instant, in ms; null where the latest is open. */
export type Range = readonly [earliest: number, latest: number | null];

/** What an output says of something, as data. */
export type Fact = {
	/** As `pod shop/cart-1`, `zone eu/b`, `cluster`; `zone *` is each zone. */
	readonly of: string;
	readonly property: string;
	readonly value: string | number | Range;
	/** Whether what is said lies within it: of pods in an order that chance makes, the first goes before the end of any. */
	readonly isBound?: true;
};

export type SaidFact = Fact & {readonly output: string; readonly source: Said['source']; readonly at: number};

/** Two outputs that say something else of the same. */
export type Difference = {
	readonly kind: string;
	readonly outage: string;
	readonly one: SaidFact;
	readonly other: SaidFact;
};

/** How far instants may differ: outputs round to seconds, beyond an hour to minutes, and a watching screen is a moment later. */
const rounding = (away: number, isAtOnce: boolean): number =>
	away > 3_600_000 ? 60_000 : isAtOnce ? 1500 : 2000;

/** Outputs that tell changes: what moves by less than a tenth of the time that is left is none. */
const tellsChanges = ({output}: SaidFact) => output === 'pods follower' || output === 'pods stream';

const isRange = (value: Fact['value']): value is Range => Array.isArray(value);

/** Whether two values are the same but for rounding; an instant that has passed is now. */
function isSame(one: SaidFact, other: SaidFact): boolean {
	const {value: a, at: seenAt, isBound} = one;
	const {value: b, at} = other;
	if (!isRange(a) || !isRange(b)) return String(a) === String(b);
	const now = Math.max(seenAt, at);
	const part = tellsChanges(one) || tellsChanges(other) ? 0.1 : 0;
	const isNear = (x: number, y: number) =>
		Math.abs(Math.max(x, now) - Math.max(y, now)) <=
		Math.max(rounding(x - now, seenAt === at), part * (x - now));
	const isWithin =
		isBound &&
		b[0] > a[0] - rounding(0, false) &&
		(b[1] ?? Infinity) < (a[1] ?? Infinity) + rounding(0, false);
	if (isWithin) return true;
	if (!isNear(a[0], b[0])) return false;
	return a[1] === null || b[1] === null ? a[1] === b[1] : isNear(a[1], b[1]);
}

/** Each fact of something, against the first that another output said of it: one difference for each output and property. */
export function differencesIn(outage: string, said: readonly SaidFact[]): readonly Difference[] {
	const zones = [
		...new Set(said.map(({of}) => of).filter((of) => of.startsWith('zone ') && of !== 'zone *')),
	];
	const first = new Map<string, SaidFact>();
	const differences: Difference[] = [];
	for (const fact of said.flatMap((each) =>
		each.of === 'zone *' ? zones.map((of) => ({...each, of})) : [each],
	)) {
		const key = `${fact.of} ${fact.property}`;
		const one = first.get(key);
		if (!one) first.set(key, fact);
		else if (!isSame(one, fact)) {
			const what = fact.of.split(' ', 1)[0];
			differences.push({
				kind: `${what} ${fact.property}: ${one.output} ≠ ${fact.output}`,
				outage,
				one,
				other: fact,
			});
		}
	}
	return differences;
}

const clock = (at: number | null) => (at === null ? 'open' : new Date(at).toISOString().slice(11, 21));
const shown = ({value}: SaidFact) => (isRange(value) ? value.map(clock).join('–') : String(value));

/** What a developer needs to find a difference again. */
export const formatDifference = ({outage, one, other}: Difference): string =>
	`${outage} at ${clock(one.at)} (${new Date(one.at).toISOString()}), ${one.of}: ${one.source} ${one.output} says ${shown(one)}, ` +
	`${other.source} ${other.output} says ${shown(other)}`;
