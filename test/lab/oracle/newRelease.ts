import {readFileSync, writeFileSync} from 'node:fs';
import {join, relative} from 'node:path';
import {parseArgs} from 'node:util';
import {checkVector} from '../../conformance/checkVector.ts';
import {skipsWithoutGo} from '../../e2e/buildControlPlane.ts';
import {describe} from './describe.ts';
import {playSuite, type Verdict} from './playSuite.ts';
import {buildRecorder, isVersion, lineOf, repairOf} from './release.ts';
import {fullestLine, suitesFor} from './suites.ts';
import {writeVectors} from './writeVectors.ts';

const usage = `usage: npm run lab -- release VERSION [--runs N] [--jobs N] [--only FOLDER,...]

Plays all scenarios with the controllers of a release of Kubernetes, as v1.38.0: builds them from their published modules, prints what differs from the
line that has the most vectors, plays what was recorded with the port, and writes the release's row into docs/settings.md.

  --runs N    plays each scenario so often (10)
  --jobs N    processes at a time; as many as there are processors
  --only      only these kinds of vectors: v1.38, forecast, kubelet, device`;

const page = join(import.meta.dirname, '../../../docs/settings.md');

/** What playing a suite showed, for the row. */
type Played = {
	readonly folder: string;
	readonly verdicts: readonly Verdict[];
	/** What was recorded, and what of it the port does not do. */
	readonly recorded: number;
	readonly missed: readonly string[];
};

/** What a suite's scenarios are called in the table. */
const titles: Readonly<Record<string, string>> = {
	forecast: 'forecasts',
	kubelet: "of the kubelet's",
	device: 'of devices',
};

process.exit(await main());

async function main(): Promise<number> {
	const {values: options, positionals} = parseArgs({
		allowPositionals: true,
		options: {runs: {type: 'string', default: '10'}, jobs: {type: 'string'}, only: {type: 'string'}},
	});
	const [version = ''] = positionals;
	if (!isVersion(version) || repairOf(version) !== undefined) {
		console.error(usage);
		return 2;
	}
	if (skipsWithoutGo()) return 0;
	const all: Played[] = [];
	const only = options.only?.split(',');
	for (const suite of suitesFor(version, fullestLine())) {
		if (only && !only.includes(suite.folder)) continue;
		const verdicts = await playSuite(suite, suite.vectors, version, {
			program: buildRecorder(suite.recorder, version, console.log),
			runs: Number(options.runs),
			jobs: options.jobs === undefined ? undefined : Number(options.jobs),
			patience: 0,
			isWriting: true,
		});
		console.log(describe(suite.folder, verdicts));
		const out = join(import.meta.dirname, '../../../.cache/oracle', version, suite.folder);
		const files = writeVectors(out, suite.vectors, verdicts);
		console.log(`written to ${relative('.', out)}`);
		const missed = [...files].flatMap(([name, file]) => {
			const {wrong} = checkVector(file);
			if (wrong !== undefined)
				console.log(`${suite.folder}/${name}: the port differs: ${wrong.split('\n')[0]}`);
			return wrong === undefined ? [] : name;
		});
		all.push({folder: suite.folder, verdicts, recorded: files.size, missed});
	}
	writeRow(rowOf(`${version} (runs of each: ${options.runs})`, all));
	const missed = all.reduce((sum, one) => sum + one.missed.length, 0);
	console.log(`${all.reduce((sum, one) => sum + one.recorded, 0) - missed} passed, ${missed} failed`);
	return 0;
}

function rowOf(version: string, all: readonly Played[]): string {
	const words = all.map(({folder, verdicts, recorded, missed}) => {
		const count = (...kinds: Verdict['is'][]) => verdicts.filter(({is}) => kinds.includes(is)).length;
		const title = titles[folder] ?? 'traces';
		return {
			played: `${verdicts.length} ${title}`,
			alike: `${count('same', 'alike')} ${title}, ${count('chance')} more in some runs`,
			// One run does not tell which order is chance.
			port: verdicts[0]?.runs === 1 ? '-' : `${recorded - missed.length} of ${recorded} ${title}`,
		};
	});
	const cells = (['played', 'alike', 'port'] as const).map((key) => words.map((one) => one[key]).join('; '));
	return `| ${[version, ...cells].join(' | ')} |`;
}

/** Puts the row into the page's table, in place of one of the same line. */
function writeRow(row: string): void {
	const lines = readFileSync(page, 'utf8').split('\n');
	const head = lines.findIndex((line) => line.startsWith('| Release played | '));
	if (head < 0) throw new Error(`${page} has no table of releases`);
	const end = lines.findIndex((line, index) => index > head && !line.startsWith('|'));
	const lineIn = (text: string) => lineOf(/v\d[\w.-]*/.exec(text)?.[0] ?? '');
	const others = lines.slice(head + 2, end).filter((line) => lineIn(line) !== lineIn(row));
	lines.splice(head + 2, end - head - 2, ...[...others, row].toSorted().toReversed());
	writeFileSync(page, lines.join('\n'));
	console.log(row);
}
