import {release} from 'node:os';
import {join} from 'node:path';
import {writeSection} from '../../support/pageSection.ts';
import {experiments} from './experiments.ts';
import {hiddenFlagsHeader, hiddenFlagsRow} from './hiddenFlags.ts';
import {isInside, type Judgement, judge, type Prediction} from './judge.ts';
import {listMisses} from './misses.ts';
import {keptRecordings, type Recording, readRecording} from './recording.ts';
import {blogTally, cellsOf, share, tableByLead} from './statistics.ts';
import {describePass} from './throttledPass.ts';

/** The page that has the tables. */
export const file = join(import.meta.dirname, '../../../docs/accuracy.md');

/** The results of one outage, without its recording, which may need much memory. */
export type Result = Judgement & {
	readonly name: string;
	readonly date: string;
	readonly version: string;
	readonly title: string;
	readonly flags: readonly string[];
	readonly misses: readonly string[];
	readonly nodeMisses: readonly string[];
	/** The results of a watch with hidden flags; undefined if the flags are the defaults. */
	readonly hidden: string | undefined;
	/** The results for the long pass of a throttled outage. */
	readonly pass: string | undefined;
};

/** Judges all recordings, prints the results of each, and writes the tables of all. */
export function writeReport(print: (line: string) => void): void {
	const kept = keptRecordings();
	const played = experiments.filter(({name}) => kept.includes(name));
	const results = played.map(({name}) => {
		const result = resultOf(readRecording(name));
		print(section(result));
		return result;
	});
	const missing = experiments.filter(({name}) => !kept.includes(name)).map(({name}) => name);
	writeSection(file, 'accuracy', tables(results, missing));
	const all = results.flatMap(({deletions}) => deletions);
	print(
		`${all.filter(isInside).length} of ${all.length} forecasts of deletions inside their ranges: ${file}`,
	);
}

/** Judges a recording. */
export function resultOf(recording: Recording): Result {
	const judgement = judge(recording);
	return {
		...judgement,
		name: recording.name,
		date: new Date(recording.startedAt).toISOString().slice(0, 10),
		version: recording.kubernetesVersion,
		title: recording.title,
		flags: recording.flags,
		misses: listMisses(judgement.deletions, recording),
		nodeMisses: listMisses(judgement.nodeSteps, recording),
		hidden: recording.flags.length > 0 ? hiddenFlagsRow(recording) : undefined,
		pass: recording.name === 'throttled-zone' ? describePass(recording) : undefined,
	};
}

function tables(results: readonly Result[], missing: readonly string[]): string {
	// Its six thousand pods that wait for hours would dominate the table.
	const all = results.filter(({pass}) => pass === undefined).flatMap(({deletions}) => deletions);
	return [
		measured(results, missing),
		'All outages together, but for the throttled one:',
		tableByLead(all),
		'Each outage:',
		overview(results),
		'The same outages, watched by a tool that knows nothing but the version: it assumes the defaults, as ranges, and ' +
			'what it sees the controllers do.',
		[...hiddenFlagsHeader, ...results.flatMap(({hidden}) => hidden ?? [])].join('\n'),
	].join('\n\n');
}

/** When and with what the numbers were measured. */
function measured(results: readonly Result[], missing: readonly string[]): string {
	const dates = [...new Set(results.map(({date}) => date))].sort();
	const versions = [...new Set(results.map(({version}) => version))].sort();
	const lacking = missing.length > 0 ? ` Not measured: ${missing.join(', ')}.` : '';
	return `Measured ${dates.join(', ')} with Kubernetes ${versions.join(', ')}, Node.js ${process.version}, Linux ${release()}.${lacking}`;
}

/** A table of outages, a row for each. */
export function overview(results: readonly Result[]): string {
	const rows = results.map(({name, deleted, deletions, alarms}) => {
		const blog = blogTally(deletions);
		return [
			name,
			deleted,
			...cellsOf(deletions, 'cold').slice(0, 2),
			...cellsOf(deletions, 'warm').slice(0, 2),
			`${alarms.cold.size} / ${alarms.warm.size}`,
			share(blog.right, blog.count),
			alarms.blog.size,
		];
	});
	return [
		'| Outage | deletions | cold inside | median | warm inside | median | false alarms cold / warm | blog right | its false alarms |',
		'| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
		...rows.map((cells) => `| ${cells.join(' | ')} |`),
	].join('\n');
}

/** The results of one outage, at length. */
export function section(result: Result): string {
	const {name, title, date, flags, deleted, deletions, alarms, alarmFacts, misses, nodeMisses} = result;
	return [
		`### ${name}`,
		`${title}. ${date}${flags.length > 0 ? `, \`${flags.join(' ')}\`` : ''}.`,
		`${deleted} deletions. Pods said to go that stayed: cold ${alarms.cold.size}, warm ${alarms.warm.size}, ` +
			`blog formula ${alarms.blog.size}.`,
		tableByLead(deletions),
		`Nodes turning Unknown and getting their taint: ${nodeSummary(result.nodeSteps)}.`,
		...(result.pass === undefined ? [] : [result.pass]),
		...listed('Wrong forecasts of deletions', misses),
		...listed('Wrong forecasts of nodes', nodeMisses),
		...listed(
			'False alarms',
			alarmFacts.map((fact) => `- ${fact}`),
		),
	].join('\n\n');
}

/** The maximum number of listed errors per kind: an error affects all pods of a node in the same way. */
const shown = 12;

function listed(title: string, lines: readonly string[]): string[] {
	if (lines.length === 0) return [];
	const rest = lines.length > shown ? [`- and ${lines.length - shown} more`] : [];
	return [`${title}:`, [...lines.slice(0, shown), ...rest].join('\n')];
}

function nodeSummary(predictions: readonly Prediction[]): string {
	const [cold, warm] = [cellsOf(predictions, 'cold'), cellsOf(predictions, 'warm')];
	return predictions.length === 0
		? 'nothing foretold'
		: `cold ${cold[0]} inside, median ${cold[1]}; warm ${warm[0]} inside, median ${warm[1]}`;
}
