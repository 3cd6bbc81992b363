import {spawnSync} from 'node:child_process';
import {defaultSettings} from '../../../src/core/model/controllerSettings.ts';
import type {TimedEffect} from '../../../src/core/simulation/effect.ts';
import type {Scenario} from '../../../src/core/simulation/scenario.ts';
import {ScenarioPlayer} from '../../../src/core/simulation/scenarioPlayer.ts';
import {minute} from '../../../src/core/time/instant.ts';
import {defaultConfig} from '../../support/scenarios.ts';

// One of three zones dies in a large cluster: how long the simulation of half an hour takes, and how much memory.
// It prints numbers and never fails. Each run has a process of its own, so that peaks do not mix.

const nodeCount = 5000;
const podsPerNode = 30;
const zoneNames = ['a', 'b', 'c'];
const outageAt = 120;
const until = 30;

const clients = {
	throttled: {kubeApiQps: 20, kubeApiBurst: 30},
	unthrottled: {kubeApiQps: 0, kubeApiBurst: 0},
};

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

function countByType(effects: readonly TimedEffect[]): string {
	const counts = new Map<string, number>();
	for (const {effect} of effects) counts.set(effect.type, (counts.get(effect.type) ?? 0) + 1);
	return [...counts].map(([type, count]) => `${count} ${type}`).join(', ');
}

const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(2)} s`;

function measure(name: keyof typeof clients): void {
	const scenario = zoneOutage(clients[name]);
	const begun = performance.now();
	const player = new ScenarioPlayer(scenario, defaultSettings);
	const populated = performance.now();
	const effects = player.advanceTo(until * minute);
	const ended = performance.now();
	const forkBegun = performance.now();
	player.simulation.fork();
	const forked = performance.now();
	const peak = process.resourceUsage().maxRSS / 1024;
	console.log(
		`${name} clients: ${seconds(begun, ended)}, of which ${seconds(begun, populated)} to take in the cluster`,
	);
	console.log(`  ${effects.length} effects: ${countByType(effects)}`);
	console.log(`  peak memory ${peak.toFixed(0)} MB, a fork ${(forked - forkBegun).toFixed(1)} ms`);
}

const asked = process.argv[2];
if (asked === 'throttled' || asked === 'unthrottled') {
	measure(asked);
} else {
	console.log(
		`${nodeCount} nodes, ${nodeCount * podsPerNode} pods; one zone of three dies at minute 2; ${until} virtual minutes`,
	);
	for (const name of Object.keys(clients)) {
		spawnSync(process.execPath, [import.meta.filename, name], {stdio: 'inherit'});
	}
}
