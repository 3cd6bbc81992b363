import {unique} from '../../../core/collections/unique.ts';
import type {ControllerSettings} from '../../../core/model/controllerSettings.ts';
import {rateMargin} from '../../../core/model/settingsSpan.ts';
import {type Duration, second} from '../../../core/time/instant.ts';
import type {LearnedRange} from '../setting.ts';

export type LearnedSetting = {
	readonly range: LearnedRange;
	/** Where it most likely lies, if that is narrower. */
	readonly likely?: LearnedRange;
	/** What was seen, in words, the newest last. */
	readonly observations: readonly string[];
};

/** What was learned of the controllers that run now, by setting. */
export type LearnedSettings = {readonly [Key in keyof ControllerSettings]?: LearnedSetting};

/** An observation that the settings in use do not explain, and that does not show the right values. */
export type SettingDoubt = {
	/** The settings of which at least one is wrong. */
	readonly about: readonly (keyof ControllerSettings)[];
	readonly seen: string;
};

/** Joins two results; the newer one alone if they contradict each other. */
export function mergeLearned(older: LearnedSettings, newer: LearnedSettings): LearnedSettings {
	const merged = Object.entries(newer).map(([key, after]) => {
		const before = older[key as keyof ControllerSettings];
		return [key, before ? mergeSetting(before, after) : after] as const;
	});
	return {...older, ...Object.fromEntries(merged)};
}

const mostObservations = 5;

function mergeSetting(older: LearnedSetting, newer: LearnedSetting): LearnedSetting {
	const range = intersectLearned(older.range, newer.range);
	if (!range || isSameRange(range, newer.range)) return newer;
	// A newer observation that adds nothing is dropped.
	if (isSameRange(range, older.range)) return older;
	const likely = newer.likely ?? older.likely;
	const observations = unique([...older.observations, ...newer.observations]).slice(-mostObservations);
	return {range, ...(likely && {likely}), observations};
}

const isSameRange = (a: LearnedRange, b: LearnedRange) => a[0] === b[0] && a[1] === b[1];

/** The intersection of two ranges; undefined if they do not overlap. */
export function intersectLearned(a: LearnedRange, b: LearnedRange): LearnedRange | undefined {
	const lo = Math.max(a[0], b[0]);
	const hi = Math.min(a[1] ?? Infinity, b[1] ?? Infinity);
	if (lo > hi) return undefined;
	return [lo, Number.isFinite(hi) ? hi : null];
}

/** Whether a value agrees with what was learned. */
export const isWithin = (value: number, [lo, hi]: LearnedRange) => value >= lo && value <= (hi ?? Infinity);

const rates = new Set<keyof ControllerSettings>([
	'nodeEvictionRate',
	'secondaryNodeEvictionRate',
	'kubeApiQps',
]);

/**
 * Whether what was learned confirms a value, and does not only allow it: nothing else is possible that people set. Durations are
 * whole numbers of seconds: nobody sets 2.5s.
 *
 * @param considered the values that are considered at all; by default all
 */
export function confirms(
	key: keyof ControllerSettings,
	learned: LearnedSetting,
	value: number,
	considered: LearnedRange = [0, null],
): boolean {
	const near = likelyRange(learned);
	if (key === 'nodeMonitorGracePeriod') {
		const whole = wholeSeconds(intersectLearned(near, considered));
		return whole.length > 0 && whole.every((one) => one === value);
	}
	const [lo, hi] = near;
	return rates.has(key) && lo * rateMargin >= value && hi !== null && hi <= value * rateMargin;
}

/** The first two whole numbers of seconds in a range. */
function wholeSeconds(range: LearnedRange | undefined): readonly Duration[] {
	if (!range) return [];
	const first = Math.ceil(range[0] / second) * second;
	return [first, first + second].filter((one) => isWithin(one, range));
}

const likelyRange = ({range, likely}: LearnedSetting): LearnedRange =>
	(likely && intersectLearned(likely, range)) ?? range;

/** The likeliest value: the roundest one in the likely range. */
export const likeliestOf = (learned: LearnedSetting): number => roundestWithin(likelyRange(learned));

/** The roundest value of a range: people set 40s, never 41.3s. */
export function roundestWithin([lo, hi]: LearnedRange): number {
	if (hi === null) return lo;
	const middle = (lo + hi) / 2;
	for (let power = 1e6; power > 1e-6; power /= 10) {
		for (const step of [power * 5, power * 2, power]) {
			const candidates = [Math.floor(middle / step) * step, Math.ceil(middle / step) * step]
				.map((value) => Number(value.toPrecision(9)))
				.filter((value) => value > 0 && value >= lo && value <= hi)
				.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
			if (candidates[0] !== undefined) return candidates[0];
		}
	}
	return middle;
}
