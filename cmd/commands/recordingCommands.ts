import {
	demoFlags,
	fileFlags,
	listingFlags,
	outputFlags,
	playingFlags,
	recordFlags,
	screenFlags,
	selectionFlags,
	tableFlags,
} from '../args/flagGroups/commandFlags.ts';
import {controllerFlags} from '../args/flagGroups/controllerFlags.ts';
import {shadowFlags} from '../args/flagGroups/shadowFlags.ts';
import {listOutputs, reportOutputs, structuredOutputs} from '../args/outputFormat.ts';
import {type Command, loaded} from './command.ts';
import {flagsWithout, podFields} from './listCommands.ts';

export const record: Command = {
	summary: 'Record the cluster to a file, to replay it or report on it later',
	usage: ['FILE [--for DURATION] [--all] [--all-kubelets] [--anonymise]'],
	examples: [
		['Record until ctrl-c; a name that ends in .gz is compressed', 'record outage.jsonl.gz'],
		['Record the next ten minutes, with every pod of the cluster', 'record outage.jsonl --for 10m --all'],
		[
			'Record what may be shared: nothing in the file has its real name',
			'record shared.jsonl.gz --anonymise',
		],
	],
	flags: {...recordFlags, all: selectionFlags.all, ...controllerFlags},
	completes: 'files',
	run: loaded(async () => (await import('../recording/recordAction.ts')).record),
};

// The recording is an argument, and its stream ends by itself.
const streamFlags = flagsWithout(listingFlags, 'filename', 'exit-code', 'debug');

export const replay: Command = {
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
	run: loaded(async () => (await import('../recording/replayAction.ts')).replay),
};

export const report: Command = {
	summary: 'Report on a past outage from a recording',
	usage: ['-f RECORDING [-o markdown|json]'],
	examples: [['Write a page for the review of an outage', 'report -f outage.jsonl.gz > outage.md']],
	outputs: reportOutputs,
	schemas: ['outage-report'],
	flags: {filename: fileFlags.filename, output: outputFlags.output, ...controllerFlags},
	completes: 'files',
	run: loaded(async () => (await import('../recording/reportAction.ts')).report),
};

export const shadow: Command = {
	summary: 'Watch all year whether the controllers do what is predicted',
	description: [
		'It prints a line each time the controllers of the cluster act too early, too late, not at all, or unpredicted,',
		'with the likely reason, and a line when that is over. If the flags of the controller manager cannot be read,',
		'pass them here: the controllers are compared with them. It changes nothing in the cluster.',
	],
	usage: ['[-o json]'],
	examples: [
		['Report where the controllers deviate, until ctrl-c', 'shadow'],
		[
			'The same as JSON, one document each, in a cluster with other settings',
			'shadow -o json --node-eviction-rate=0.5',
		],
		[
			'Serve a status page, metrics and health checks, and log as JSON',
			'shadow --listen 127.0.0.1:8080 --log-format json',
		],
	],
	outputs: structuredOutputs,
	schemas: ['divergence'],
	flags: {...shadowFlags, ...outputFlags, ...tableFlags, ...controllerFlags},
	run: loaded(async () => (await import('../shadow/followShadow.ts')).shadow),
};

export const demo: Command = {
	summary: 'Play a simulated outage; no cluster is needed',
	description: [
		'On a terminal it opens the dashboard. With --serve it serves the simulated cluster, to be read only, for evictwatch, kubectl and k9s:',
		'in a second shell, run "kubectl evictwatch status -s http://127.0.0.1:8001".',
	],
	usage: ['[SCENARIO] [--speed N]', '[SCENARIO] --serve [PORT]', '--list'],
	examples: [
		['Choose an outage and watch it in the dashboard', 'demo'],
		['List the outages', 'demo --list'],
		['Serve an outage, to look at it from a second shell', 'demo node-dies --serve 8001'],
	],
	flags: {...demoFlags, ...playingFlags, ...screenFlags, ...controllerFlags},
	completes: 'scenarios',
	run: loaded(async () => (await import('../demo/demoAction.ts')).demo),
};
