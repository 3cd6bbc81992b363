import {execFileSync} from 'node:child_process';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import type {TimedEffect} from '../../../src/core/simulation/effect.ts';
import {minute} from '../../../src/core/time/instant.ts';
import type {Scenario} from '../../support/scenario/scenario.ts';
import {ScenarioPlayer} from '../../support/scenario/scenarioPlayer.ts';
import {defaultConfig} from '../../support/scenarios.ts';
import {dataArgs, dataOf, runAsProgram} from './bench.ts';
import {threadCpu, threadCpuOf} from './figures.ts';

// One of three zones of a large cluster fails: measures the time and memory for simulating half an hour. Each run has its
// own process, so that peaks are separate.

const nodeCount = 5000;
const podsPerNode = 30;
const zoneNames = ['a', 'b', 'c'];
const outageAt = 120;
const until = 30;
/** The best round is used: other work on the machine only adds time. */
const rounds = 3;

const clients = {
	throttled: {kubeApiQps: 20, kubeApiBurst: 30},
	unthrottled: {kubeApiQps: 0, kubeApiBurst: 0},
};

/** A simulation's lowest costs; times in milliseconds of its thread's CPU, except `elapsed`, which is wall time. */
type Run = {
	readonly elapsed: number;
	readonly took: number;
	/** The part of `took` for loading the cluster. */
	readonly populating: number;
	readonly fork: number;
	readonly peakMegabytes: number;
	/** The number of effects by type. */
	readonly effects: Readonly<Record<string, number>>;
};

export type SimulationMeasured = Readonly<Record<keyof typeof clients, Run>>;

function zoneOutage(limits: (typeof clients)[keyof typeof clients]): Scenario {
	const nodes = Array.from({length: nodeCount}, (_, index) => {
		const zone = zoneNames[index % zoneNames.length] ?? '';
		const labels = {'topology.kubernetes.io/region': 'eu', 'topology.kubernetes.io/zone': zone};
		return {name: `node-${zone}-${index}`, labels, leasePhase: (index * 0.0137) % 10};
	});
	const tolerations = ['not-ready', 'unreachable'].map((condition) => ({
		key: `node.kubernetes.io/${condition}`,
		operator: 'Exists',
		effect: 'NoExecute',
		tolerationSeconds: 300,
	}));
	const dead = nodes.filter(({labels}) => labels['topology.kubernetes.io/zone'] === 'a');
	return {
		name: 'zone-outage',
		config: {...defaultConfig, ...limits},
		monitorPassDuration: 0.0013,
		leaseRenewInterval: 10,
		nodeStatusReportInterval: 300,
		nodes,
		pods: nodes.flatMap(({name}) =>
			Array.from({length: podsPerNode}, (_, index) => ({
				name: `${name}-pod-${index}`,
				node: name,
				tolerations,
			})),
		),
		steps: dead.map(({name}) => ({at: outageAt, do: 'stop-kubelet', node: name})),
		until: until * 60,
	};
}

function countByType(effects: readonly TimedEffect[]): Readonly<Record<string, number>> {
	const counts: Record<string, number> = {};
	for (const {effect} of effects) counts[effect.type] = (counts[effect.type] ?? 0) + 1;
	return counts;
}

function measureRun(limits: (typeof clients)[keyof typeof clients]): Run {
	const scenario = zoneOutage(limits);
	const [begunAt, begun] = [performance.now(), threadCpu()];
	const player = new ScenarioPlayer(scenario, defaultSettings);
	const populating = threadCpu() - begun;
	const effects = player.advanceTo(until * minute);
	const [elapsed, took] = [performance.now() - begunAt, threadCpu() - begun];
	const fork = threadCpuOf(() => player.simulation.fork());
	const peakMegabytes = process.resourceUsage().maxRSS / 1024;
	return {elapsed, took, populating, fork, peakMegabytes, effects: countByType(effects)};
}

/**
 * @param args the clients to measure with, once, in this process; by default both in turns, each in its own process;
 * `--short` for one round
 */
function measure(args: readonly string[]): Partial<SimulationMeasured> {
	const names = (['throttled', 'unthrottled'] as const).filter((name) => args.includes(name));
	if (names.length > 0) return Object.fromEntries(names.map((name) => [name, measureRun(clients[name])]));
	const inOwnProcess = (name: string) =>
		dataOf<Partial<SimulationMeasured>>(
			execFileSync(process.execPath, [import.meta.filename, ...dataArgs([name])], {encoding: 'utf8'}),
		);
	const all = Array.from({length: args.includes('--short') ? 1 : rounds}, () => ({
		...inOwnProcess('throttled'),
		...inOwnProcess('unthrottled'),
	}));
	const best = (name: keyof SimulationMeasured) =>
		all.flatMap((round) => round[name] ?? []).toSorted((a, b) => a.took - b.took)[0];
	const [throttled, unthrottled] = [best('throttled'), best('unthrottled')];
	return {...(throttled && {throttled}), ...(unthrottled && {unthrottled})};
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;

function report(measured: Partial<SimulationMeasured>): string {
	const runs = Object.entries(measured).flatMap(([name, run]) => [
		`${name} clients: ${seconds(run.elapsed)}; ${seconds(run.took)} of CPU, of which ${seconds(run.populating)} to take in the cluster`,
		`  ${Object.entries(run.effects)
			.map(([type, count]) => `${count} ${type}`)
			.join(', ')}`,
		`  peak memory ${run.peakMegabytes.toFixed(0)} MB, a fork ${run.fork.toFixed(1)} ms`,
	]);
	const {throttled, unthrottled} = measured;
	const ratio = throttled && unthrottled ? (unthrottled.took / throttled.took).toFixed(2) : undefined;
	return [
		`${nodeCount} nodes, ${nodeCount * podsPerNode} pods; one zone of three dies at minute 2; ${until} virtual minutes`,
		...runs,
		...(ratio === undefined ? [] : [`unthrottled takes ${ratio} times as long as throttled`]),
	].join('\n');
}

if (import.meta.main) await runAsProgram({measure, report});
