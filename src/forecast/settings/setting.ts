import type {ComponentFlags} from '../../core/model/controlPlane.ts';
import {formatGoDuration} from '../../core/model/goValues.ts';

export type SettingSource = {
	/** The kinds of sources of a value, the strongest first. */
	readonly kind: 'flag' | 'staticPod' | 'vendor' | 'configz' | 'learned' | 'profile';
	/** For display: the pod, release or observations. */
	readonly detail: string;
};

/** Where a component's flags were seen. */
export const sourceOfFlags = ({seenIn, isOfVendor}: ComponentFlags): SettingSource => ({
	kind: isOfVendor ? 'vendor' : 'staticPod',
	detail: seenIn,
});

export type Unit = 'duration' | 'number' | 'switch' | 'seconds' | 'word';

/** A value; durations are in milliseconds. Null if there is none, such as no limit, or if it is unknown. */
type SettingValue = number | boolean | string | null;

/** The range in which a value lies, by observed behaviour, both ends included. Null if unbounded. */
export type LearnedRange = readonly [lo: number, hi: number | null];

export type Setting = Readonly<{
	/** The flag's name, or the field's if it is no flag of kube-controller-manager. */
	name: string;
	unit: Unit;
	value: SettingValue;
	source: SettingSource;
	/** Its range: learned from behaviour, or assumed to be possible. */
	range?: LearnedRange;
	/** Whether the default is only one of several possible values: another default was disproved, or nothing confirms it. */
	isInDoubt?: boolean;
}>;

/** Formats a value as its flag takes it: `50s`, `0.1`, `true`; `<none>` for null. */
export function formatSettingValue(value: SettingValue, unit: Unit): string {
	if (value === null) return '<none>';
	if (typeof value !== 'number') return String(value);
	return unit === 'duration' ? formatGoDuration(value) : String(Number(value.toPrecision(6)));
}

/** Formats a range for display: `38.5s-43s`, `0.05 or more`, `more than 0.5` (at least the next float32 number). */
export function formatLearnedRange([lo, hi]: LearnedRange, unit: Unit): string {
	const digits = (value: number) =>
		unit === 'duration' ? Math.round(value / 100) * 100 : Number(value.toPrecision(3));
	const from = formatSettingValue(digits(lo), unit);
	const isAbove = unit === 'number' && lo > digits(lo) && lo - digits(lo) < digits(lo) * 1e-6;
	if (isAbove)
		return hi === null
			? `more than ${from}`
			: `more than ${from}, up to ${formatSettingValue(digits(hi), unit)}`;
	return hi === null ? `${from} or more` : `${from}-${formatSettingValue(digits(hi), unit)}`;
}
