import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {buildControlPlane, hasGo, isControlPlaneBuilt} from '../../e2e/buildControlPlane.ts';
import {startApiServer} from '../../e2e/controlPlane.ts';
import {Processes} from '../../e2e/processes.ts';
import {isUnmeasurable, runAsProgram, type Unmeasurable} from './bench.ts';
import type {Size} from './scale/fill.ts';
import {measureSize, type Plan, type SizeResult} from './scale/measure.ts';
import {growthOf, reportOf} from './scale/report.ts';

// Measures a list of a large cluster, for the API server and for us, compared with kubectl and with a bare transfer of the same
// pages. Each figure is the median of several rounds in turns, so that other work on the machine affects all alike.

type ScaleMeasured = readonly SizeResult[] | Unmeasurable;

const options = {
	nodes: {type: 'string', default: '1000'},
	'pods-per-node': {type: 'string', default: '20'},
	rounds: {type: 'string', default: '3'},
	/** Leaves out what takes minutes. */
	short: {type: 'boolean', default: false},
	/** Only `--all` and the bare transfer, and only if the control plane is built. */
	ratio: {type: 'boolean', default: false},
	/** Only the dashboard's first frames, and what they are compared with; only if the control plane is built. */
	frames: {type: 'boolean', default: false},
	/** All sizes of docs/performance.md, one after another; what takes minutes only for the largest. */
	growth: {type: 'boolean', default: false},
} as const;

const grown = [100, 300, 1000, 3000, 5000];
const podsOfGrown = 30;

async function measure(args: readonly string[]): Promise<ScaleMeasured> {
	const {values} = parseArgs({args: [...args], options});
	if (process.platform !== 'linux') return {unmeasurable: 'needs Linux'};
	if (!isControlPlaneBuilt()) {
		if (values.ratio || values.frames)
			return {unmeasurable: 'no control plane in .cache/e2e: npm run test:e2e builds it'};
		if (!hasGo()) return {unmeasurable: 'needs Go to build the control plane'};
	}
	const sizes = values.growth
		? grown.map((nodes) => ({nodes, podsPerNode: podsOfGrown}))
		: [{nodes: Number(values.nodes), podsPerNode: Number(values['pods-per-node'])}];
	const results: SizeResult[] = [];
	for (const size of sizes) {
		console.error(`${size.nodes} nodes ...`);
		const isLarge = size === sizes.at(-1) && !values.short;
		const extent = values.ratio ? 'ratio' : values.frames ? 'frames' : isLarge ? 'full' : 'short';
		results.push(await measureAlone(size, {rounds: Number(values.rounds), extent}));
	}
	return results;
}

/** Measures in a new cluster, which is removed afterwards. */
async function measureAlone(size: Size, plan: Plan): Promise<SizeResult> {
	const folder = mkdtempSync(join(tmpdir(), 'evictwatch-scale-'));
	const processes = new Processes(buildControlPlane(console.error), join(folder, 'logs'));
	try {
		const measuring = startApiServer(processes, folder).then((server) =>
			measureSize(server, size, plan, folder),
		);
		return await Promise.race([measuring, processes.crash]);
	} finally {
		await processes.stop();
		rmSync(folder, {recursive: true, force: true});
	}
}

const report = (measured: ScaleMeasured): string =>
	isUnmeasurable(measured)
		? `skipped: ${measured.unmeasurable}`
		: [...measured.map(reportOf), ...(measured.length > 1 ? [growthOf(measured)] : [])].join('\n\n');

if (import.meta.main) await runAsProgram({measure, report});
