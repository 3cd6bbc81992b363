import {formatGoDuration} from '../../core/model/goValues.ts';

/** The kinds of sources of a value, the strongest first. */
type SourceKind = 'flag' | 'staticPod' | 'configz' | 'learned' | 'profile';

/** The source of one value. */
export type SettingSource = {
	readonly kind: SourceKind;
	/** For people: which pod, release or observations. */
	readonly detail: string;
};

/** The unit of a value. */
export type Unit = 'duration' | 'number' | 'switch' | 'seconds' | 'word';

/** A value; a duration is in milliseconds. Null for none, such as no limit, or where it is not known. */
type SettingValue = number | boolean | string | null;

/** The range in which a value lies, by observed behaviour, both ends included. Null where it is not bounded. */
export type LearnedRange = readonly [lo: number, hi: number | null];

/** One setting in force. */
export type Setting = {
	/** The flag's name, or the field's where it is no flag of kube-controller-manager. */
	readonly name: string;
	readonly unit: Unit;
	readonly value: SettingValue;
	readonly source: SettingSource;
	/** Its range: learned from behaviour, or what is assumed to be possible. */
	readonly range?: LearnedRange;
	/** Whether the default is only one of the values that are assumed to be possible: another default was disproved, or nothing confirms it. */
	readonly isInDoubt?: boolean;
};

/** Formats a value as its flag takes it: `50s`, `0.1`, `true`; `<none>` where there is none. */
export function formatSettingValue(value: SettingValue, unit: Unit): string {
	if (value === null) return '<none>';
	if (typeof value !== 'number') return String(value);
	return unit === 'duration' ? formatGoDuration(value) : String(Number(value.toPrecision(6)));
}

/** Formats a range for people: `38.5s-43s`, `0.05 or more`, `more than 0.5`, which is the next float32 number at least. */
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
