import {listingFlags} from '../args/flagGroups/listingFlags.ts';
import {playingFlags, screenFlags} from '../args/flagGroups/screenFlags.ts';
import {listOutputs} from '../args/outputFormat.ts';
import type {Command} from './command.ts';
import {flagsWithout} from './listCommand.ts';
import {podFields} from './pods.ts';

// The recording is an argument, and its stream ends by itself.
const streamFlags = flagsWithout(listingFlags, 'filename', 'exit-code', 'debug');

export const replay = {
	aliases: [],
	summary: 'Play a recording in the dashboard, or as a stream of changes',
	usage: ['FILE [--speed N] [--at TIME]', 'FILE -o FORMAT', 'FILE -w'],
	examples: [
		['Play an outage again; [ and ] jump between events, ? shows all keys', 'replay outage.jsonl.gz'],
		['Print each change of each forecast, as a live watch would', 'replay outage.jsonl.gz -o json'],
	],
	outputs: listOutputs,
	schemas: ['watched'],
	flags: {...streamFlags, ...playingFlags, ...screenFlags},
	completes: 'files',
	selectableFields: podFields,
	run: async (options, terminal) => (await import('../recording/replayAction.ts')).replay(options, terminal),
} as const satisfies Command;
