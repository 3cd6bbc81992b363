import {existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {buildControlPlane, hasGo} from '../../e2e/buildControlPlane.ts';
import {startApiServer} from '../../e2e/controlPlane.ts';
import {Processes} from '../../e2e/processes.ts';
import type {Size} from './scale/fill.ts';
import {measure, type SizeResult} from './scale/measure.ts';
import {growthOf, reportOf} from './scale/report.ts';

// What a look at a large cluster costs, the API server and us, beside kubectl and beside the bare transfer of the same
// pages. Each figure is the best of some rounds, in which all take turns: other work on the machine hits all alike.

const {values} = parseArgs({
	options: {
		nodes: {type: 'string', default: '1000'},
		'pods-per-node': {type: 'string', default: '20'},
		rounds: {type: 'string', default: '3'},
		/** Leaves out what takes minutes. */
		short: {type: 'boolean', default: false},
		/** All sizes of docs/scale.md, one after the other; what takes minutes only for the largest. */
		growth: {type: 'boolean', default: false},
	},
});

const grown = [100, 300, 1000, 3000, 5000];
const podsOfGrown = 30;
const plugin = join(import.meta.dirname, '../../../dist/kubectl-evictwatch');

process.exitCode = await main();

async function main(): Promise<number> {
	if (process.platform !== 'linux' || !hasGo()) {
		console.log('skipped: it needs Linux, and Go to build the control plane');
		return 0;
	}
	if (!existsSync(plugin)) {
		console.error(`error: there is no ${plugin}; npm run build makes it`);
		return 1;
	}
	const sizes = values.growth
		? grown.map((nodes) => ({nodes, podsPerNode: podsOfGrown}))
		: [{nodes: Number(values.nodes), podsPerNode: Number(values['pods-per-node'])}];
	const results: SizeResult[] = [];
	for (const size of sizes) {
		const isShort = values.short || size !== sizes.at(-1);
		const result = await measureAlone(size, {rounds: Number(values.rounds), isShort});
		console.log(`${reportOf(result)}\n`);
		results.push(result);
	}
	if (results.length > 1) console.log(growthOf(results));
	return 0;
}

/** Measures in a cluster of its own, of which nothing is left. */
async function measureAlone(size: Size, plan: Parameters<typeof measure>[2]): Promise<SizeResult> {
	const folder = mkdtempSync(join(tmpdir(), 'evictwatch-scale-'));
	const processes = new Processes(buildControlPlane(console.log), join(folder, 'logs'));
	try {
		const measuring = startApiServer(processes, folder).then((server) => measure(server, size, plan, folder));
		return await Promise.race([measuring, processes.crash]);
	} finally {
		await processes.stop();
		rmSync(folder, {recursive: true, force: true});
	}
}
