import {appendFileSync, readFileSync} from 'node:fs';
import {coverageOf} from './coverageOf.ts';

// Drawn cases: outages that a seed decides. `npm test` plays a slice of each suite, `npm run test:deep` all of it.

/** Whether all drawn cases are played, and not only their slices. */
export const isDeep = process.env['EVICTWATCH_DEEP'] !== undefined;

/** Where `npm run lab -- slices` wants to be told what each case reaches. */
const measured = process.env['EVICTWATCH_MEASURE_SLICES'];

/** More or fewer seeds than a suite asks for, in a deep run. */
const wanted = process.env['EVICTWATCH_OUTAGES'];

/** The slices: by suite and kind, the seeds that `npm test` plays. */
const slices: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = JSON.parse(
	readFileSync(new URL('slices.json', import.meta.url), 'utf8'),
);

/** One kind of cases of a drawn suite. */
export type DrawnKind = {
	readonly suite: string;
	readonly kind: string;
	/** How many seeds there are, from 1 on. */
	readonly count: number;
	/** Further seeds, which once found what no other did: always played. */
	readonly also?: readonly number[];
	/** Such seeds that take seconds and whose roots others find as well, or tests of their own: played in a deep run. */
	readonly deep?: readonly number[];
};

/**
 * What a test of many cases may take, in milliseconds: a deep one takes minutes, and so does a quick one on a busy machine.
 * Deep tests take what others leave of the machine.
 */
export const drawnTimeout = isDeep ? 1_800_000 : 300_000;

/** The seeds of a kind to play now. */
export function seedsOf({suite, kind, count, also = [], deep = []}: DrawnKind): readonly number[] {
	const isWhole = isDeep || measured !== undefined;
	const slice = slices[suite]?.[kind];
	if (!isWhole && !slice) throw new Error(`no slice of ${suite}, ${kind}: run npm run lab -- slices`);
	const length = Number((isDeep && wanted) || count);
	const seeds = slice && !isWhole ? slice : Array.from({length}, (_, index) => index + 1);
	return [...new Set([...seeds, ...also, ...(isDeep ? deep : [])])];
}

/** Plays the cases of a kind, one after another. */
export function playDrawn<Result>(drawn: DrawnKind, play: (seed: number) => Result): readonly Result[] {
	return seedsOf(drawn).map((seed) => playCase({...drawn, seed}, play));
}

/** Plays one case. */
export function playCase<Result>(
	{suite, kind, seed}: DrawnKind & {readonly seed: number},
	play: (seed: number) => Result,
): Result {
	if (measured === undefined) return play(seed);
	const {result, milliseconds, reached} = coverageOf(() => play(seed));
	appendFileSync(measured, `${JSON.stringify({suite, kind, seed, milliseconds, reached})}\n`);
	return result;
}

/** What properties draw from: the same each time, so that a release is judged by what it is. Others find what is new. */
export const propertySeed = Number(process.env['EVICTWATCH_SEED'] ?? 1);

/** As many runs of a property as a deep run makes, or the smaller number of a quick one. */
export const runsOf = (quick: number, deep: number): number => (isDeep ? Number(wanted ?? deep) : quick);
