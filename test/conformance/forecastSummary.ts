import {calibrationOf} from '../lab/accuracy/calibration.ts';
import type {Score} from './checkForecast.ts';

/** What is wrong with a file's forecasts; undefined if nothing is. */
export function firstWrong(scores: readonly Score[]): string | undefined {
	const wrong = scores.find(({isRight}) => !isRight);
	if (!wrong) return undefined;
	const truth = wrong.truth === undefined ? 'it stays' : `deleted after ${seconds(wrong.truth)}`;
	const range = wrong.range
		? `${seconds(wrong.range[0])} to ${wrong.range[1] === null ? 'any time' : seconds(wrong.range[1])}`
		: 'none';
	return `${wrong.look} forecast of ${wrong.pod}: expected ${truth}, got ${wrong.verdict} ${range}`;
}

/** The width of the forecasts, and the results of the blog formula on the same files. */
export function summarize(scores: readonly Score[]): readonly string[] {
	return (['cold', 'warm'] as const).map((look) => {
		const deleted = scores.filter((score) => score.look === look && score.truth !== undefined);
		const inside = deleted.filter(({isRight}) => isRight).length;
		const alarms = scores.filter((score) => score.look === look && score.isAlarm).length;
		const widths = deleted
			.flatMap(({range}) => (range && range[1] !== null ? [range[1] - range[0]] : []))
			.toSorted((a, b) => a - b);
		const blogRight = deleted.filter(({blog}) => blog.isRight).length;
		const blogAlarms = scores.filter((score) => score.look === look && score.blog.isAlarm).length;
		return (
			`${look} forecasts: ${inside} of ${deleted.length} deletions inside their range, ${alarms} false alarms, ` +
			`width median ${seconds(percentile(widths, 0.5))}, 90th percentile ${seconds(percentile(widths, 0.9))} ` +
			`(formula of blogs: ${blogRight} within 5 s, ${blogAlarms} false alarms); ${oddsOf(scores.filter((score) => score.look === look))}`
		);
	});
}

function oddsOf(scores: readonly Score[]): string {
	const {draws, before, likely, likelyWidth, width, loss, lossOfMiddle} = calibrationOf(
		scores.flatMap(({odds}) => odds ?? []),
	);
	const percent = (share: number) => `${Math.round(100 * share)} %`;
	return (
		`of ${draws} wide ones ${percent(before)} before expected, ${percent(likely)} within likely, ` +
		`${likelyWidth.toFixed(1)} of ${width.toFixed(1)} s wide, pinball loss ${loss.toFixed(1)} of ${lossOfMiddle.toFixed(1)} s`
	);
}

const percentile = (sorted: readonly number[], share: number) =>
	sorted[Math.floor(share * (sorted.length - 1))] ?? 0;

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
