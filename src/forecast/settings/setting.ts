import {formatGoDuration} from '../../core/model/goValues.ts';

/** Where a value comes from, the strongest first. */
export type SourceKind = 'flag' | 'staticPod' | 'configz' | 'learned' | 'profile';

/** Where one value comes from. */
export type SettingSource = {
	readonly kind: SourceKind;
	/** For people: which pod, which release, which observations. */
	readonly detail: string;
};

/** How a value is counted. */
export type Unit = 'duration' | 'number' | 'switch' | 'seconds' | 'word';

/** A value; a duration in milliseconds. Null where there is none: nothing is done, or nothing is known. */
export type SettingValue = number | boolean | string | null;

/** What behaviour shows of a value: it lies within, ends included. Null where nothing bounds it. */
export type LearnedRange = readonly [lo: number, hi: number | null];

/** One setting in force. */
export type Setting = {
	/** The flag's name, or the field's where it is no flag of kube-controller-manager. */
	readonly name: string;
	readonly unit: Unit;
	readonly value: SettingValue;
	readonly source: SettingSource;
	/** What was learned of it from behaviour. */
	readonly range?: LearnedRange;
};

/** A value as its flag takes it: `50s`, `0.1`, `true`; `<none>` where there is none. */
export function formatSettingValue(value: SettingValue, unit: Unit): string {
	if (value === null) return '<none>';
	if (typeof value !== 'number') return String(value);
	return unit === 'duration' ? formatGoDuration(value) : String(Number(value.toPrecision(6)));
}

/** A range as people read it: `38.5s-43s`, `0.05 or more`. */
export function formatLearnedRange([lo, hi]: LearnedRange, unit: Unit): string {
	const digits = (value: number) =>
		unit === 'duration' ? Math.round(value / 100) * 100 : Number(value.toPrecision(3));
	const from = formatSettingValue(digits(lo), unit);
	return hi === null ? `${from} or more` : `${from}-${formatSettingValue(digits(hi), unit)}`;
}
