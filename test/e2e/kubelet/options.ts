import {parseArgs} from 'node:util';
import {builtPlugin} from '../session.ts';

/** What is played, and what becomes of it. */
export const optionsOf = (args: readonly string[]) =>
	parseArgs({
		args: [...args],
		options: {
			plugin: {type: 'string', default: builtPlugin},
			all: {type: 'boolean', default: false},
			only: {type: 'string', multiple: true},
			/** How often each of them is played. */
			times: {type: 'string', default: '1'},
			/** A folder that keeps what was said and done, and a recording of each play. */
			evidence: {type: 'string'},
			/** Such folders, whose recordings are held against what was done in place of anything that is played. */
			again: {type: 'string', multiple: true},
			/** The document that is written. */
			table: {type: 'string'},
		},
	}).values;
