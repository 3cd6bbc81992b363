import {readFileSync} from 'node:fs';
import {type Score, scoreForecasts} from './checkForecast.ts';
import {checkDeviceVector} from './device/checkVector.ts';
import {isDeviceVector} from './device/vector.ts';
import {firstWrong} from './forecastSummary.ts';
import {isForecastVector} from './forecastVector.ts';
import {checkKubeletFile, isKubeletFile} from './kubelet/checkFile.ts';
import {checkTrace} from './playTrace.ts';
import {checkRepairVector} from './repair/checkVector.ts';
import {isRepairVector} from './repair/vector.ts';
import {isTraceVector} from './vector.ts';

/** The result of playing a vector: the first difference, if any, and the scores of forecasts. */
export type Checked = {readonly wrong: string | undefined; readonly scores: readonly Score[]};

/** Plays one vector; its kind is detected from its content. */
export function checkVector(file: string): Checked {
	const wrongOnly = (wrong: string | undefined): Checked => ({wrong, scores: []});
	try {
		const text = readFileSync(file, 'utf8');
		const content: unknown = JSON.parse(text);
		if (isKubeletFile(content)) return wrongOnly(checkKubeletFile(text));
		if (isDeviceVector(content)) return wrongOnly(checkDeviceVector(content));
		if (isRepairVector(content)) return wrongOnly(checkRepairVector(content));
		if (isTraceVector(content)) return wrongOnly(checkTrace(content));
		if (!isForecastVector(content)) return wrongOnly('a vector of an unknown kind');
		const scores = scoreForecasts(content);
		return {wrong: firstWrong(scores), scores};
	} catch (error) {
		return wrongOnly(error instanceof Error ? (error.stack ?? error.message) : String(error));
	}
}
