import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {Writable} from 'node:stream';
import {spawn} from '@lydell/node-pty';
import {build} from '../../scripts/build.ts';
import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import {defaultSettings} from '../../src/core/model/controllerSettings.ts';
import type {Lease} from '../../src/core/model/lease.ts';
import type {Node} from '../../src/core/model/node.ts';
import type {Pod} from '../../src/core/model/pod.ts';
import type {Toleration} from '../../src/core/model/toleration.ts';
import {type Instant, minute, second} from '../../src/core/time/instant.ts';
import {startDemo} from '../../src/demo/demo.ts';
import {scenarioNamed} from '../../src/demo/scenarios.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {Forecaster} from '../../src/forecast/forecaster.ts';
import {systemClock} from '../../src/live/clock.ts';
import {dashboardScreen} from '../ui/support/dashboards.ts';
import {Outage} from '../ui/support/outage.ts';
import {TestSource} from '../ui/support/scenes.ts';
import {ShownScreen} from '../ui/support/terminal.ts';

/** What the dashboard costs with 5,000 nodes, a third of them dead, and the 20,000 pods on those, at 200x50. */
const size = {columns: 200, rows: 50};
const nodeCount = 5000;
const podsPerNode = 12;
const now: Instant = Date.UTC(2026, 0, 1);

const tolerations: readonly Toleration[] = ['not-ready', 'unreachable'].map((key) => ({
	key: `node.kubernetes.io/${key}`,
	operator: 'Exists',
	value: '',
	effect: 'NoExecute',
	tolerationSeconds: 300,
}));

function deadZone(): ClusterSnapshot {
	const names = Array.from(
		{length: nodeCount},
		(_, index) => `ip-10-0-${index >> 8}-${index & 255}.eu-west-1.compute.internal`,
	);
	const zoneOf = (index: number) => 'abc'[index % 3] ?? 'a';
	const isDead = (index: number) => zoneOf(index) === 'a';
	return {
		...{observedAt: now, source: 'cluster', problems: []},
		nodes: names.map((name, index): Node => {
			const times = {lastHeartbeatTime: now - 4 * minute, lastTransitionTime: now - 600 * minute};
			return {
				...{name, uid: name, createdAt: now - 600 * minute, unschedulable: false, taints: []},
				labels: {'topology.kubernetes.io/region': 'eu', 'topology.kubernetes.io/zone': zoneOf(index)},
				conditions: [{type: 'Ready', status: 'True', ...times}],
			};
		}),
		leases: names.map(
			(name, index): Lease => ({
				...{namespace: 'kube-node-lease', name},
				renewTime: isDead(index) ? now - 25 * second - (index % 100) * 100 : now - (index % 100) * 100,
			}),
		),
		pods: names.flatMap((name, index) =>
			Array.from(
				{length: podsPerNode},
				(_, pod): Pod => ({
					...{
						namespace: `team-${pod}`,
						name: `web-${pod}-7d9f5c8b6d-${index}`,
						uid: `${index}-${pod}`,
						nodeName: name,
					},
					...{createdAt: now - 500 * minute, labels: {'pod-template-hash': '7d9f5c8b6d'}, tolerations},
					...{phase: 'Running', ready: 'True', isMirror: false, priority: 0},
					owner: {kind: 'ReplicaSet', name: `web-${pod}-7d9f5c8b6d`, uid: `rs-${pod}`},
				}),
			),
		),
	};
}

const quantile = (values: readonly number[], part: number): number =>
	values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;

const figures = (values: readonly number[]): string =>
	`median ${quantile(values, 0.5).toFixed(1)} ms, 99th percentile ${quantile(values, 0.99).toFixed(1)} ms`;

const cpu = (): number => {
	const {user, system} = process.cpuUsage();
	return (user + system) / 1000;
};

/**
 * A terminal that takes everything and shows nothing: an emulator in the same process would cost more than the screen.
 *
 * @returns waits for the next frame
 */
function onNothing(shown: ShownScreen): () => Promise<void> {
	let written = Promise.withResolvers<void>();
	const sink = new Writable({
		write: (_chunk, _encoding, done) => {
			written.resolve();
			done();
		},
	});
	shown.terminal.stdout.write = sink.write.bind(sink) as typeof shown.terminal.stdout.write;
	return async () => {
		await written.promise;
		await shown.running.flushed();
		written = Promise.withResolvers();
	};
}

async function measureFrames(forecaster: Forecaster): Promise<void> {
	const source = new TestSource(forecaster.forecast(now));
	const shown = new ShownScreen(dashboardScreen(source), size);
	await shown.settle();
	const drawn = onNothing(shown);
	for (const view of ['1', '4', '3', '5']) {
		for (const key of ['2', view]) {
			shown.terminal.stdin.push(key);
			await drawn();
			await pause();
		}
		const [clock, fresh, keys] = [
			await clockFrames(source, drawn),
			await freshFrames(source, drawn),
			await keyFrames(shown, drawn),
		];
		console.log(`view ${view}: a frame as time goes by: ${figures(clock)} of CPU`);
		console.log(`view ${view}: a frame with a new forecast: ${figures(fresh)} of CPU`);
		console.log(`view ${view}: from key to frame: ${figures(keys)}`);
		console.log(
			`view ${view}: one of each a second: ${((quantile(clock, 0.5) + quantile(fresh, 0.5)) / 10).toFixed(1)} % of a core`,
		);
	}
	await shown.end();
}

const frames = 200;

type Drawn = () => Promise<void>;

async function clockFrames(source: TestSource, drawn: Drawn): Promise<readonly number[]> {
	const costs: number[] = [];
	for (let index = 1; index <= frames; index += 1) {
		await pause();
		const before = cpu();
		source.change({heardAt: now + index * second}, now + index * second);
		await drawn();
		costs.push(cpu() - before);
	}
	return costs;
}

async function freshFrames(source: TestSource, drawn: Drawn): Promise<readonly number[]> {
	const {forecast} = source.get();
	const costs: number[] = [];
	for (let index = 1; forecast && index <= frames / 4; index += 1) {
		await pause();
		// As a forecast is: other arrays, other objects.
		const next: Forecast = {
			...forecast,
			pods: forecast.pods.map((pod) => ({...pod})),
			nodes: [...forecast.nodes],
		};
		// What the copying left behind is not the screen's.
		globalThis.gc?.();
		const before = cpu();
		source.show(next, now + index * second);
		await drawn();
		costs.push(cpu() - before);
	}
	return costs;
}

async function keyFrames(shown: ShownScreen, drawn: Drawn): Promise<readonly number[]> {
	const delays: number[] = [];
	for (let index = 0; index < frames; index += 1) {
		await pause();
		const before = performance.now();
		shown.terminal.stdin.push(index % 20 < 10 ? 'j' : 'k');
		await drawn();
		delays.push(performance.now() - before);
	}
	return delays;
}

// Frames are held back to thirty a second: what is measured begins on its own.
const pause = () => new Promise((resolve) => setTimeout(resolve, 40));

async function measureMemory(): Promise<void> {
	const outage = new Outage('recovery', second);
	const shown = new ShownScreen(dashboardScreen(outage.source), size);
	await shown.settle();
	onNothing(shown);
	const heap = () => {
		globalThis.gc?.();
		return process.memoryUsage().heapUsed / 2 ** 20;
	};
	const sizes: number[] = [];
	for (let elapsed = 1; elapsed <= 60; elapsed += 1) {
		for (let step = 0; step < 60; step += 1) {
			outage.advance(second);
			await shown.running.flushed();
		}
		if (elapsed % 10 === 0) sizes.push(heap());
	}
	await shown.end();
	console.log(
		`heap after each ten minutes of an hour of outage: ${sizes.map((one) => one.toFixed(1)).join(', ')} MB`,
	);
}

/** What the program costs as a whole beside `kubectl get pods -A -w`: both watch one simulated outage for half a minute. */
async function measureBeside(): Promise<void> {
	const scenario = scenarioNamed('zone-dies');
	const folder = mkdtempSync(join(tmpdir(), 'evictwatch-bench-'));
	if (!scenario || process.platform !== 'linux') return;
	await build(folder);
	const server = await startDemo(scenario, {port: 0, clock: systemClock.now, seed: 1});
	const env = {...process.env, KUBECONFIG: join(folder, 'none'), TERM: 'xterm-256color', LANG: 'C.UTF-8'};
	const runs = [
		{name: 'kubectl get pods -A -w', file: 'kubectl', args: ['get', 'pods', '-A', '-w', '-s', server.url]},
		{name: 'the dashboard', file: join(folder, 'kubectl-evictwatch'), args: ['-s', server.url]},
	].map(({name, file, args}) => ({name, pty: spawn(file, args, {cols: size.columns, rows: size.rows, env})}));
	for (const {pty} of runs) pty.onData(() => undefined);
	await sleep(5 * second);
	const begin = runs.map(({pty}) => cpuOf(pty.pid));
	await sleep(30 * second);
	runs.forEach(({name, pty}, index) => {
		const [from, to] = [begin[index], cpuOf(pty.pid)];
		const share =
			from === undefined || to === undefined
				? 'did not run'
				: `${((to - from) / 30 / 10).toFixed(1)} % of a core`;
		console.log(`${name}, beside each other, 13 nodes: ${share}`);
		pty.kill();
	});
	await server.close();
	rmSync(folder, {recursive: true});
}

const sleep = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

/** The CPU time of a process in milliseconds; the kernel counts in hundredths of a second. */
function cpuOf(pid: number): number | undefined {
	try {
		const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
		return (Number(fields[11]) + Number(fields[12])) * 10;
	} catch {
		return undefined;
	}
}

const forecaster = new Forecaster(defaultSettings);
forecaster.observeSnapshot(deadZone());
const before = performance.now();
const {pods} = forecaster.forecast(now);
console.log(
	`${nodeCount} nodes, ${pods.filter(({eviction}) => eviction !== null).length} pods to go; a forecast takes ${(performance.now() - before).toFixed(0)} ms`,
);
await measureFrames(forecaster);
await measureMemory();
await measureBeside();
