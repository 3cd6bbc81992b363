import {join, relative} from 'node:path';
import {parseArgs} from 'node:util';
import {skipsWithoutGo} from '../../e2e/buildControlPlane.ts';
import {describe} from './describe.ts';
import {playSuite, type Verdict} from './playSuite.ts';
import {buildRecorder, isVersion, testHarness} from './release.ts';
import {suitesFor} from './suites.ts';
import {writeVectors} from './writeVectors.ts';

const usage = `usage: npm run lab -- oracle VERSION [--check] [NAME...]

Plays the scenarios of the project's vectors again, with the controllers of a Kubernetes release.

  VERSION       as v1.37.0; karpenter-v1.14.1, machineapi-VERSION or clusterapi-v1.14.2 for the node repair of Karpenter, OpenShift or Cluster API
  NAME          only vectors whose folder and name contain it, as v1.36/zone or forecast/
  --check       writes nothing; fails where no run of a scenario comes to what its vector says
  --runs N      plays each scenario so often (with --check 2; else 30, forecasts 10, the kubelet's 100)
  --jobs N      processes at a time; as many as there are processors
  --out DIR     where vectors are written; .cache/oracle/VERSION
  --test        runs the harness' own Go tests against the release, and nothing else`;

/** With --check, a scenario that differs is played this many more times before it fails. */
const patience = 100;

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
	if (skipsWithoutGo()) return 0;
	if (options.test) {
		testHarness(version);
		return 0;
	}
	const out = options.out ?? join(import.meta.dirname, '../../../.cache/oracle', version);
	const all: Verdict[] = [];
	for (const suite of suitesFor(version)) {
		const kept = suite.vectors.filter(({name}) => isWanted(`${suite.folder}/${name}`, names));
		if (kept.length === 0) continue;
		const verdicts = await playSuite(suite, kept, version, {
			program: buildRecorder(suite.recorder, version, console.log),
			runs: Number(options.runs ?? (options.check ? 2 : suite.runs)),
			jobs: options.jobs === undefined ? undefined : Number(options.jobs),
			patience: options.check ? patience : 0,
			isWriting: !options.check,
		});
		console.log(describe(suite.folder, verdicts));
		if (!options.check) writeVectors(join(out, suite.folder), kept, verdicts);
		all.push(...verdicts);
	}
	const failed = all.filter(({is}) => is === 'different').length;
	if (!options.check) console.log(`written to ${relative('.', out)}`);
	console.log(`${all.length - failed} passed, ${failed} failed`);
	return options.check && failed > 0 ? 1 : 0;
}

function isWanted(path: string, names: readonly string[]): boolean {
	return names.length === 0 || names.some((name) => path.includes(name));
}
