import {appendFileSync, readFileSync} from 'node:fs';
import {coverageOf} from './coverageOf.ts';

// Drawn cases are outages derived from a seed. `npm test` plays a slice of each suite, `npm run test:deep` all of it.

/** Whether all drawn cases are played, not only their slices. */
export const isDeep = process.env['EVICTWATCH_DEEP'] !== undefined;

/** The file into which `npm run lab -- slices` collects the code that each case runs; undefined otherwise. */
const measured = process.env['EVICTWATCH_MEASURE_SLICES'];

/** Overrides the number of seeds in a deep run. */
const wanted = process.env['EVICTWATCH_OUTAGES'];

/** The slices: by suite and kind, the seeds that `npm test` plays. */
const slices: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = JSON.parse(
	readFileSync(new URL('slices.json', import.meta.url), 'utf8'),
);

/** One kind of cases of a drawn suite. */
export type DrawnKind = {
	readonly suite: string;
	readonly kind: string;
	/** The number of seeds, starting with 1. */
	readonly count: number;
	/** Further seeds that are always played, because each once found a bug that no other seed did. */
	readonly also?: readonly number[];
	/** Such seeds that are played only in a deep run: they take seconds, and other seeds or tests cover their bugs. */
	readonly deep?: readonly number[];
};

/** The seeds of a kind that are played in this run. */
export function seedsOf({suite, kind, count, also = [], deep = []}: DrawnKind): readonly number[] {
	const isWhole = isDeep || measured !== undefined;
	const slice = slices[suite]?.[kind];
	if (!isWhole && !slice) throw new Error(`no slice of ${suite}, ${kind}: run npm run lab -- slices`);
	const length = Number((isDeep && wanted) || count);
	const seeds = slice && !isWhole ? slice : Array.from({length}, (_, index) => index + 1);
	return [...new Set([...seeds, ...also, ...(isDeep ? deep : [])])];
}

/** Plays the cases of a kind one after another. */
export function playDrawn<Result>(drawn: DrawnKind, play: (seed: number) => Result): readonly Result[] {
	return seedsOf(drawn).map((seed) => playCase({...drawn, seed}, play));
}

/** Plays one case; measures its coverage if `npm run lab -- slices` asks for it. */
export function playCase<Result>(
	{suite, kind, seed}: DrawnKind & {readonly seed: number},
	play: (seed: number) => Result,
): Result {
	if (measured === undefined) return play(seed);
	const {result, milliseconds, reached} = coverageOf(() => play(seed));
	appendFileSync(measured, `${JSON.stringify({suite, kind, seed, milliseconds, reached})}\n`);
	return result;
}

/** The seed of properties. It is fixed, so that a release is judged by its code; other seeds find new bugs. */
export const propertySeed = Number(process.env['EVICTWATCH_SEED'] ?? 1);

/** The number of runs of a property. */
export const runsOf = (quick: number, deep: number): number => (isDeep ? Number(wanted ?? deep) : quick);
