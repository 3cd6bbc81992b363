import {globSync, readFileSync} from 'node:fs';
import {type Check, judgeOutcome} from '../judge.ts';
import type {Plugin} from '../plugin.ts';
import {recordedPressure} from '../pressureForecasts.ts';
import {report} from '../report.ts';
import {judgePlayed, type Played} from './judge.ts';
import {nodeName} from './node.ts';
import type {Silence} from './silence.ts';
import {type Figures, figuresOf, figuresOfSilence, writeTable} from './table.ts';

/**
 * Compares the plugin's present forecasts of recorded plays with what their kubelets did. For a silent kubelet the recorded
 * forecasts are used.
 *
 * @param folders each as `play` was given it, with any above it
 * @returns the exit code
 */
export async function judgeAgain(
	folders: readonly string[],
	file: string,
	table: string | undefined,
): Promise<number> {
	const plugin: Plugin = {file, kubeconfig: '/dev/null', signal: new AbortController().signal};
	const checks: Check[] = [];
	const figures: Figures[] = [];
	for (const path of globSync(folders.map((folder) => `${folder}/**/*.json`)).toSorted()) {
		const known = JSON.parse(readFileSync(path, 'utf8')) as Played | Silence;
		if ('how' in known) {
			checks.push(...known.outcomes.map(judgeOutcome));
			figures.push(figuresOfSilence(known.how, known.outcomes));
			continue;
		}
		const reports = await recordedPressure(plugin, nodeName, path.replace(/\.json$/, '.jsonl.gz'));
		const played = {...known, reports};
		checks.push(...judgePlayed(played).map((check) => ({...check, name: `${path}: ${check.name}`})));
		figures.push(figuresOf(played));
		console.log(path, JSON.stringify(figures.at(-1)));
	}
	if (table) writeTable(table, figures);
	return report(checks);
}
