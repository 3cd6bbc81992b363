import {devNull} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {minute} from '../../../src/core/time/instant.ts';
import {startDemo} from '../../../src/demo/demo.ts';
import {largeCluster} from '../../../src/demo/world/scenarios.ts';
import {isOnPath, runAsProgram} from './bench.ts';
import {median} from './figures.ts';
import {costOf} from './scale/program.ts';

// How much processor time each command takes as a cluster grows, beside kubectl: of the demo's API, minutes after one of three
// zones has died. The world and its server run in this process, so that only the command counts.

const plugin = join(import.meta.dirname, '../../../dist/kubectl-evictwatch');

/** A command's processor time in seconds, by the size of the cluster. */
type Grown = {readonly name: string; readonly cpuSeconds: readonly number[]};
export type GrowthMeasured = {readonly nodes: readonly number[]; readonly commands: readonly Grown[]};

const listed = [['zones'], ['nodes'], ['pods', '-A'], ['status'], ['rescue', '-A']];
const ofKubectl = [
	['get', 'nodes'],
	['get', 'leases', '-n', 'kube-node-lease'],
	['get', 'pods', '-A'],
];

const options = {
	nodes: {type: 'string', default: '100,1000,5000,15000'},
	rounds: {type: 'string', default: '3'},
	/** How long the zone has been dead, in minutes: a throttled pass may still be at work. */
	minutes: {type: 'string', default: '8'},
} as const;

async function measure(args: readonly string[]): Promise<GrowthMeasured> {
	const {values} = parseArgs({args: [...args], options});
	const nodes = values.nodes.split(',').map(Number);
	const columns: (readonly Grown[])[] = [];
	for (const count of nodes) {
		console.error(`${count} nodes ...`);
		columns.push(await measureSize(count, Number(values.minutes) * minute, Number(values.rounds)));
	}
	const commands = (columns[0] ?? []).map(({name}, row) => ({
		name,
		cpuSeconds: columns.flatMap((column) => column[row]?.cpuSeconds ?? []),
	}));
	return {nodes, commands};
}

async function measureSize(nodes: number, age: number, rounds: number): Promise<readonly Grown[]> {
	// The world begins in the past, and catches up at once.
	let behind = age;
	const clock = () => Date.now() - behind;
	const demo = await startDemo(largeCluster(Math.round(nodes / 3)), {port: 0, clock, seed: 1});
	behind = 0;
	// A large world takes longer to catch up than kubectl waits.
	await (await fetch(new URL('/version', demo.url))).text();
	const server = ['-s', demo.url];
	const commands: readonly (readonly string[])[] = [
		...(isOnPath('kubectl') ? ofKubectl.map((one) => ['kubectl', ...one, ...server]) : []),
		...listed.map((one) => [plugin, ...one, ...server]),
	];
	const costs = commands.map((): number[] => []);
	const env = {...process.env, KUBECONFIG: devNull};
	try {
		// In turns, so that other work on the machine affects all alike.
		for (let round = 0; round < rounds; round++)
			for (const [index, command] of commands.entries())
				costs[index]?.push((await costOf(command, env)).cpuSeconds);
	} finally {
		await demo.close();
	}
	const nameOf = (command: readonly string[]) =>
		command.slice(0, -server.length).join(' ').replace(plugin, 'evictwatch');
	return commands.map((command, index) => ({
		name: nameOf(command),
		cpuSeconds: [median(costs[index] ?? [])],
	}));
}

/** The power of the number of nodes with which a command grows between two sizes; n log n is 1.12 from 1,000 to 5,000. */
export function slopeOf({cpuSeconds}: Grown, nodes: readonly number[], to = nodes.length - 1): number {
	const [before = Number.NaN, after = Number.NaN] = cpuSeconds.slice(to - 1, to + 1);
	const [few = Number.NaN, many = Number.NaN] = nodes.slice(to - 1, to + 1);
	return Math.log(after / before) / Math.log(many / few);
}

const report = ({nodes, commands}: GrowthMeasured): string => {
	const head = ['', ...nodes.map((count) => `${count.toLocaleString('en')} nodes`)];
	const rows = commands.map((one) => [
		`\`${one.name}\``,
		...one.cpuSeconds.map((seconds, index) =>
			index === 0
				? `${seconds.toFixed(2)} s`
				: `${seconds.toFixed(2)} s (n^${slopeOf(one, nodes, index).toFixed(2)})`,
		),
	]);
	return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
};

if (import.meta.main) await runAsProgram({measure, report});
