import type {LearnedSettings} from '../../../src/forecast/settings/learned/learnedSetting.ts';
import {learningWatcher} from '../../support/learningWatcher.ts';
import {judge} from './judge.ts';
import type {Recording} from './recording.ts';
import {unknownSettings} from './replay.ts';
import {cellsOf} from './statistics.ts';

/** The header of the table of outages whose flags the tool was not told. */
export const hiddenFlagsHeader = [
	'| Outage | first watched: inside | median | false alarms | watched again: inside | median | false alarms |',
	'| --- | --- | --- | --- | --- | --- | --- |',
];

/**
 * How a watch does that is told no flag: once with nothing but the defaults of the version to begin with, and once with
 * all that the first time taught.
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
