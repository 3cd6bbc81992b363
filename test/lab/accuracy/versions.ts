import {relative} from 'node:path';
import {parseArgs} from 'node:util';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {buildControlPlane, skipsWithoutGo} from '../../e2e/buildControlPlane.ts';
import {writeSection} from '../../support/pageSection.ts';
import {experiments} from './experiments.ts';
import {isInside} from './judge.ts';
import {record} from './laboratory.ts';
import {keepRecording, readRecording} from './recording.ts';
import {file, overview, type Result, resultOf, section} from './report.ts';

/**
 * Older releases on which outages are played: the oldest whose API server can be built from its modules. Until 1.23,
 * Kubernetes' own build generated one of its files, which is in no module.
 */
const versions = ['v1.24.17'];
/** Short outages: of a node, of a zone, and of a controller manager during a countdown. */
const names = ['one-node', 'zone', 'controller-restart'];

const {values: options} = parseArgs({
	options: {
		/** Plays nothing: judges the recordings. */
		judge: {type: 'boolean'},
	},
});

process.exit(await main());

async function main(): Promise<number> {
	if (skipsWithoutGo()) return 0;
	if (!options.judge) for (const version of versions) await recordAll(version);
	const results = versions.flatMap((version) =>
		names.map((name) => {
			const recording = readRecording(keptAs(name, version));
			// A recording lacks settings that were added later.
			return resultOf({...recording, settings: {...settingsFor(version), ...recording.settings}});
		}),
	);
	writeSection(file, 'versions', overview(results));
	for (const result of results) console.log(`\n${section(result)}`);
	const failed = results.filter((result) => !isRight(result));
	for (const {name, misses, alarmFacts} of failed) console.log([name, ...misses, ...alarmFacts].join('\n'));
	console.log(`see ${relative('.', file)}`);
	console.log(`${results.length - failed.length} passed, ${failed.length} failed`);
	return failed.length > 0 ? 1 : 0;
}

/** Plays the outages one after another: concurrent control planes slow each other down on a small machine. */
async function recordAll(version: string): Promise<void> {
	const program = buildControlPlane(console.log, version);
	const started = Date.now();
	for (const experiment of experiments.filter(({name}) => names.includes(name))) {
		const say = (line: string) =>
			console.log(
				`${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${version} ${experiment.name}: ${line}`,
			);
		const recording = await record(experiment, {program, version}, say);
		keepRecording({...recording, name: keptAs(experiment.name, version)});
	}
}

function keptAs(name: string, version: string): string {
	return `${version}-${name}`;
}

/** Whether some pod was deleted, all deletions were within their ranges, and there was no false alarm. */
function isRight({deleted, deletions, nodeSteps, alarms}: Result): boolean {
	const hasNoAlarms = alarms.cold.size + alarms.warm.size === 0;
	return deleted > 0 && hasNoAlarms && [...deletions, ...nodeSteps].every(isInside);
}
