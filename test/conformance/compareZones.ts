import type {ZoneSample} from './vector.ts';

/** Samples are taken once a second, at this many milliseconds past it. */
export const sampleOffset = 50.5;

/** The samples of one second: a missing zone no longer exists, or the controllers do not run. */
export type SampledSecond = ReadonlyMap<string, Omit<ZoneSample, 'at' | 'zone'>>;

/**
 * Compares the zones at each second, with a tolerance of one sample.
 *
 * @param expected the recorded samples that differ from their predecessors; those of v1.16 have no sizes to compare
 * @param got all samples by second
 * @returns the first difference, or undefined
 */
export function firstZoneDifference(
	expected: readonly ZoneSample[],
	got: readonly SampledSecond[],
): string | undefined {
	const isSame = expected.some(({size}) => size > 0) ? isSameZone : isSameButSize;
	for (const zone of new Set(expected.map((sample) => sample.zone))) {
		const wanted = expected.filter((sample) => sample.zone === zone);
		for (const [second, samples] of got.entries()) {
			const have = samples.get(zone);
			if (!have) continue;
			const want = [second, second - 1, second + 1].map((at) => lastBefore(wanted, at));
			const near = [have, got[second - 1]?.get(zone), got[second + 1]?.get(zone)];
			const isAlike =
				want.some((sample) => sample && isSame(sample, have)) ||
				near.some((sample) => sample && want[0] && isSame(want[0], sample));
			if (!isAlike) {
				return `zone ${JSON.stringify(zone)} at ${second} s: expected ${show(want[0])}, got ${show(have)}`;
			}
		}
	}
	return undefined;
}

const lastBefore = (samples: readonly ZoneSample[], second: number) =>
	samples.findLast(({at}) => at <= second * 1000 + sampleOffset + 1);

type Values = Omit<ZoneSample, 'at' | 'zone'>;

const isSameButSize = (a: Values, b: Values) =>
	a.state === b.state && Math.fround(a.qps) === Math.fround(b.qps);

const isSameZone = (a: Values, b: Values) =>
	isSameButSize(a, b) && a.size === b.size && a.notReady === b.notReady;

const show = (sample: Values | undefined) =>
	sample ? `${sample.state} ${sample.notReady}/${sample.size} not ready at ${sample.qps}/s` : 'nothing';
