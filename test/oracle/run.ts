import {mkdirSync, writeFileSync} from 'node:fs';
import {join, relative} from 'node:path';
import {parseArgs} from 'node:util';
import {hasGo} from '../e2e/buildControlPlane.ts';
import {playSuite, type Verdicts} from './playSuite.ts';
import {buildRecorder, isVersion, testHarness} from './release.ts';
import {suitesFor} from './suites.ts';

const usage = `usage: npm run oracle -- VERSION [--check] [NAME...]

Plays the scenarios of the project's vectors again, with the controllers of a Kubernetes release.

  VERSION       as v1.37.0
  NAME          only vectors whose folder and name contain it, as v1.36/zone or forecast/
  --check       writes nothing; fails where a recording and a vector differ
  --runs N      plays each scenario so often (with --check 2; else 30, forecasts 10, the kubelet's 100)
  --jobs N      processes at a time; as many as there are processors
  --out DIR     where vectors are written; .cache/oracle/VERSION
  --test        runs the harness' own Go tests against the release, and nothing else`;

process.exit(await main());

async function main(): Promise<number> {
	const {values: options, positionals} = parseArgs({
		allowPositionals: true,
		options: {
			check: {type: 'boolean'},
			runs: {type: 'string'},
			jobs: {type: 'string'},
			out: {type: 'string'},
			test: {type: 'boolean'},
		},
	});
	const [version, ...names] = positionals;
	if (version === undefined || !isVersion(version)) {
		console.error(usage);
		return 2;
	}
	if (!hasGo()) {
		console.log('skipped: Go is not installed');
		return 0;
	}
	if (options.test) {
		testHarness(version);
		return 0;
	}
	const out = options.out ?? join(import.meta.dirname, '../../.cache/oracle', version);
	const total = {same: 0, alike: 0, different: 0};
	for (const suite of suitesFor(version)) {
		const kept = suite.vectors.filter(({name}) => isWanted(`${suite.folder}/${name}`, names));
		if (kept.length === 0) continue;
		const verdicts = await playSuite(suite, kept, version, {
			program: buildRecorder(suite.recorder, version, console.log),
			runs: Number(options.runs ?? (options.check ? 2 : suite.runs)),
			jobs: options.jobs === undefined ? undefined : Number(options.jobs),
			keep: options.check ? undefined : keeper(join(out, suite.folder)),
		});
		report(suite.folder, verdicts);
		for (const is of ['same', 'alike', 'different'] as const) total[is] += verdicts[is].length;
	}
	if (!options.check) console.log(`written to ${relative('.', out)}`);
	console.log(`${total.same + total.alike} passed, ${total.different} failed`);
	return options.check && total.different > 0 ? 1 : 0;
}

function isWanted(path: string, names: readonly string[]): boolean {
	return names.length === 0 || names.some((name) => path.includes(name));
}

function keeper(folder: string): (file: string, text: string) => void {
	mkdirSync(folder, {recursive: true});
	return (file, text) => writeFileSync(join(folder, file), text);
}

function report(folder: string, {same, alike, different, undecidable}: Verdicts): void {
	for (const {name, why} of different) console.log(`${folder}/${name}: ${why}`);
	for (const name of undecidable)
		console.log(`${folder}/${name}: not written: its runs have too little in common`);
	console.log(
		`${folder}: ${same.length} the same in every run, ${alike.length} within tolerance and chance, ${different.length} different`,
	);
}
