import {type Duration, minute, second} from '../core/time/instant.ts';

const hour: Duration = 60 * minute;

/** A duration in whole seconds: `45s`, `4m10s`, `1h5m`, `2d3h`. From one hour on, seconds are omitted. */
export function formatDuration(duration: Duration): string {
	const seconds = Math.max(0, Math.round(duration / second));
	const minutes = Math.floor(seconds / 60);
	const hours = Math.floor(minutes / 60);
	if (minutes === 0) return `${seconds}s`;
	if (hours === 0) return withRest(minutes, 'm', seconds % 60, 's');
	if (hours < 24) return withRest(hours, 'h', minutes % 60, 'm');
	return withRest(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

/** The same rounded down, for the early end of a range or the time that is left for sure. */
export const formatAtLeast = (duration: Duration): string =>
	formatDuration(Math.floor(duration / second) * second);

/** The same rounded up to the precision that is shown, for the late end of a range. */
export function formatAtMost(duration: Duration): string {
	const unit = duration <= hour ? second : duration <= 24 * hour ? minute : hour;
	return formatDuration(Math.ceil(duration / unit) * unit);
}

/** Both ends of a range, rounded outwards; an instant is rounded down only. */
export const formatEnds = (from: Duration, to: Duration): readonly [from: string, to: string] => [
	formatAtLeast(from),
	(to > from ? formatAtMost : formatAtLeast)(to),
];

/** An amount in two units, the second only if something is left: `4m10s`, `3h`. */
export const withRest = (count: number, unit: string, rest: number, restUnit: string): string =>
	rest === 0 ? `${count}${unit}` : `${count}${unit}${rest}${restUnit}`;
