import {parseArgs} from 'node:util';
import {builtPlugin} from '../session.ts';

/** The options: what is played, and where the results go. */
export const optionsOf = (args: readonly string[]) =>
	parseArgs({
		args: [...args],
		options: {
			plugin: {type: 'string', default: builtPlugin},
			all: {type: 'boolean', default: false},
			only: {type: 'string', multiple: true},
			/** How often each scenario is played. */
			times: {type: 'string', default: '1'},
			/** A folder for the predictions, the kubelet's actions, and a recording of each play. */
			evidence: {type: 'string'},
			/** Such folders: nothing is played, and their recordings are judged again. */
			again: {type: 'string', multiple: true},
			/** The document to write. */
			table: {type: 'string'},
		},
	}).values;
