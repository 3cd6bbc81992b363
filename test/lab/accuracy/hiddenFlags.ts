import {learningWatcher} from '../../support/learningWatcher.ts';
import {judge} from './judge.ts';
import type {Recording} from './recording.ts';
import {unknownSettings} from './replay.ts';
import {cellsOf} from './statistics.ts';

/** The header of the table of outages with hidden flags. */
export const hiddenFlagsHeader = ['| Outage | inside | median | false alarms |', '| --- | --- | --- | --- |'];

/** The results of a watch that is told nothing but the version. */
export function hiddenFlagsRow(recording: Recording): string {
	const {deletions, alarms} = judge(recording, learningWatcher(unknownSettings(recording)));
	const cells = [...cellsOf(deletions, 'warm').slice(0, 2), alarms.warm.size];
	return `| ${[recording.name, ...cells].join(' | ')} |`;
}
