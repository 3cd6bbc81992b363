import type {LearnedSettings} from '../../../src/forecast/settings/learned/learnedSetting.ts';
import {learningWatcher} from '../../support/learningWatcher.ts';
import {judge} from './judge.ts';
import type {Recording} from './recording.ts';
import {unknownSettings} from './replay.ts';
import {cellsOf} from './statistics.ts';

/** The header of the table of outages with hidden flags. */
export const hiddenFlagsHeader = [
	'| Outage | first watched: inside | median | false alarms | watched again: inside | median | false alarms |',
	'| --- | --- | --- | --- | --- | --- | --- |',
];

/**
 * The results of a watch with hidden flags: first with only the version's defaults, then with the settings that it learned
 * the first time.
 */
export function hiddenFlagsRow(recording: Recording): string {
	let learned: LearnedSettings = {};
	const cells = [0, 1].flatMap(() => {
		const predictor = learningWatcher(unknownSettings(recording, learned), (known) => {
			learned = known;
		});
		const {deletions, alarms} = judge(recording, predictor);
		return [...cellsOf(deletions, 'warm').slice(0, 2), alarms.warm.size];
	});
	return `| ${[recording.name, ...cells].join(' | ')} |`;
}
