import {parseArgs} from 'node:util';
import type {TraceVector} from '../../conformance/vector.ts';
import {hasGo} from '../../e2e/buildControlPlane.ts';
import {readOutcome} from '../outcome.ts';
import {buildRecorder} from '../release.ts';
import {runRecorder} from '../runRecorder.ts';
import {compact} from '../vectorText.ts';
import {firstMismatch} from './matchRun.ts';
import {randomOutage} from './randomOutage.ts';

const usage = `usage: npm run oracle:random -- VERSION FROM-TO [--legacy] [--seeds N]

Draws outages, lets the real controllers of a Kubernetes release play each, and seeks choices of chance with which the port does
the same. What it does not find may be chance that it did not try: look at the outage.

  --legacy   without taints, as until v1.17 with TaintBasedEvictions=false
  --seeds N  how many choices of chance are tried for each; 60`;

process.exit(await main());

async function main(): Promise<number> {
	const options = {legacy: {type: 'boolean'}, seeds: {type: 'string'}} as const;
	const {values, positionals} = parseArgs({allowPositionals: true, options});
	const [version = '', range = ''] = positionals;
	const [, from, to] = /^(\d+)-(\d+)$/.exec(range) ?? [];
	if (!version.startsWith('v1.') || from === undefined) {
		console.error(usage);
		return 2;
	}
	if (!hasGo()) {
		console.log('skipped: Go is not installed');
		return 0;
	}
	const kind = {isLegacy: values.legacy ?? false, hasBetaLabels: version.startsWith('v1.16.')};
	const seeds = Array.from({length: Number(to) - Number(from) + 1}, (_, index) => Number(from) + index);
	const outages = new Map(
		seeds.map((seed) => randomOutage(seed, kind)).map((outage) => [outage.name, outage]),
	);
	let same = 0;
	const task = {program: buildRecorder('record', version, console.log), runs: 1};
	await runRecorder(
		task,
		[...outages.values()].map((outage) => compact(outage)),
		(line) => {
			const {name, firstPassAt, trace, zones} = readOutcome(line);
			const scenario = outages.get(name);
			if (!scenario) throw new Error(`the recorder tells of ${name}, which it was not asked for`);
			const run: TraceVector = {
				...{kubernetesVersion: version, order: 'decided', firstPassAt, scenario, trace, zones},
			};
			const difference = firstMismatch(run, Number(values.seeds ?? 60));
			if (difference === undefined) same += 1;
			else console.log(`${name}: ${difference}`);
		},
	);
	console.log(`${same} the same, ${outages.size - same} not found`);
	return same < outages.size ? 1 : 0;
}
