import type {ClusterSnapshot} from '../../../src/core/model/clusterSnapshot.ts';
import type {Provenance} from '../../../src/core/model/observation.ts';
import {formatTaint, isNodeLifecycleTaint} from '../../../src/core/model/taint.ts';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import type {TimedEffect} from '../../../src/core/simulation/effect.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import type {Change} from '../../e2e/recorder.ts';
import {ClientView} from '../../support/clientView.ts';
import {EventFeed} from '../../support/eventFeed.ts';
import type {Scenario, ScenarioStep} from '../../support/scenario/scenario.ts';
import {settingsOf} from '../../support/scenario/scenarioObjects.ts';
import {ScenarioPlayer} from '../../support/scenario/scenarioPlayer.ts';
import type {DrawnOutage} from './drawnOutage.ts';
import type {Recording, Step} from './recording.ts';

const version = 'v1.36.3';
const beginning: Instant = Date.UTC(2026, 0, 31, 14, 0, 0);
/** The latency of a watch, in seconds. */
const watchEvery = 0.05;
/** How often the watch is confirmed if nothing happens, in seconds. */
const confirmedEvery = 1;
/** The time between two lists, and between two forecasts of the watch, in seconds. */
const [lookEvery, askedEvery] = [6.1, 2.3];
/** With more nodes, a forecast takes longer: looks come so many times as rarely. */
const [manyNodes, rarely] = [15, 6];
/** How long the cluster settles before the first look, in seconds. */
const settling = 30;

/** Plays a drawn outage on the simulated control plane; returns the observations and what happened. */
export function playSimulated(outage: DrawnOutage): Recording {
	const {scenario, seed, stalls, hidesFlags, taintsWait = false, beginsAt = 0} = outage;
	const startedAt = beginning + beginsAt;
	const defaults = settingsFor(version);
	const eventFeed = new EventFeed(0, seed);
	const player = new ScenarioPlayer(scenario, defaults, seed, startedAt, eventFeed.post, {
		hasPodGc: true,
		noExecuteCallsTakeTime: taintsWait,
	});
	const offsets = outage.clockOffsets;
	const view = new ClientView(player.simulation, (node) => offsets[node] ?? 0);
	const snapshots: ClusterSnapshot[] = [];
	const observed: Recording['observed'][number][] = [];
	const changes: Change[] = [];
	const restarts = scenario.steps.filter((step) => step.do.endsWith('-controllers'));
	const instantOf = (at: number) => startedAt + Math.round(at * second);
	const playTo = (at: Instant) => {
		for (let next = restarts[0]; next && instantOf(next.at) <= at; next = restarts[0]) {
			restarts.shift();
			changes.push(...changesIn(player.advanceTo(instantOf(next.at) - 1)));
			const isStart = next.do === 'start-controllers';
			if (isStart) eventFeed.startAnew();
			if (isStart) view.controllersStarted = instantOf(next.at);
			view.controllersEnded = isStart ? undefined : instantOf(next.at);
		}
		changes.push(...changesIn(player.advanceTo(at)));
	};
	const stalledAt = (at: number) => stalls.find(({from, to}) => from <= at && at < to);
	const pace = scenario.nodes.length > manyNodes ? rarely : 1;
	let lookedAt = 0;
	let heardAt = 0;
	let withheldSince: Instant | undefined;
	for (let at = settling; at <= scenario.until; at += watchEvery) {
		const now = instantOf(at);
		playTo(now);
		if (stalledAt(at)) {
			withheldSince ??= now;
			continue;
		}
		const observations = [
			...view.watch(),
			...eventFeed.takeFresh().map((event) => ({type: 'eventApplied', event}) as const),
		];
		const provenance: Provenance =
			withheldSince === undefined ? {type: 'confirmed'} : {type: 'late', since: withheldSince};
		const isDue = at - heardAt >= confirmedEvery;
		if (observations.length > 0 || isDue) {
			observed.push({at: now, observations, provenance});
			heardAt = at;
		}
		withheldSince = undefined;
		if (at - lookedAt < lookEvery * pace) continue;
		lookedAt = at;
		snapshots.push({...view.list(), events: eventFeed.all});
	}
	return {
		name: scenario.name,
		title: outage.title,
		startedAt,
		kubernetesVersion: version,
		flags: [],
		settings: settingsOf(scenario.config, defaults),
		hidesFlags,
		...{observed, snapshots, changes},
		askedEvery: askedEvery * pace * second,
		steps: stepsOf(scenario, instantOf),
		editedPods: scenario.steps.flatMap((step) => (step.do === 'set-tolerations' ? step.pod : [])),
		endedAt: instantOf(scenario.until),
	};
}

/** The changes that the report judges, in the format of the recorder of a real cluster. */
function changesIn(effects: readonly TimedEffect[]): readonly Change[] {
	return effects.flatMap(({at, effect}): readonly Change[] => {
		switch (effect.type) {
			case 'podDeleted':
				return effect.again ? [] : [{at, object: `pod/${effect.pod}`, what: 'Terminating'}];
			case 'taintAdded':
				return [{at, object: `node/${effect.node}`, what: `+${formatTaint(effect.taint)}`}];
			case 'nodeCondition':
				return effect.condition === 'Ready'
					? [{at, object: `node/${effect.node}`, what: `Ready=${effect.status}`}]
					: [];
			default:
				return [];
		}
	});
}

const zoneLabel = 'topology.kubernetes.io/zone';

/** The unforeseeable steps, and the nodes whose pods each may affect. */
function stepsOf({steps, nodes, pods}: Scenario, instantOf: (at: number) => Instant): readonly Step[] {
	const all = nodes.map(({name}) => name);
	const zones = new Map(nodes.map(({name, labels}) => [name, labels?.[zoneLabel]]));
	const alive = new Set(all);
	return steps.flatMap((step): readonly Step[] => {
		if (step.do === 'set-labels') zones.set(step.node, step.labels?.[zoneLabel]);
		if (step.do === 'add-node') zones.set(step.nodeSpec.name, step.nodeSpec.labels?.[zoneLabel]);
		const wasAnyAlive = alive.size > 0;
		if (step.do === 'stop-kubelet' || step.do === 'delete-node') alive.delete(step.node);
		if (step.do === 'start-kubelet') alive.add(step.node);
		if (step.do === 'add-node') alive.add(step.nodeSpec.name);
		const kind = kindOf(step);
		if (!kind) return [];
		const node = nodeOf(step, pods);
		const mates = all.filter((name) => node !== undefined && zones.get(name) === zones.get(node));
		// A node whose controller taint is removed is queued again, before others of its zone.
		const isQueuedAgain = step.do === 'remove-taint' && isNodeLifecycleTaint(step.taint);
		const isOfPods = (kind === 'taint' && !isQueuedAgain) || kind === 'label';
		// A node that is back may end a full disruption of all zones. The last node that fails begins it, and so may the deletion of
		// one that failed and counts as ready.
		const isLastDeath = alive.size === 0 && (wasAnyAlive || step.do === 'delete-node');
		const touchesAll = kind === 'restart' || kind === 'start' || isLastDeath || changesZone(step, nodes);
		const touches = touchesAll ? all : isOfPods ? [node ?? ''] : mates;
		return [{at: instantOf(step.at), kind, nodes: node === undefined ? [] : [node], touches}];
	});
}

/** Whether a node counts in another zone, or in none, after a step. */
export function changesZone(step: ScenarioStep, nodes: Scenario['nodes']): boolean {
	if (step.do !== 'set-labels') return false;
	const counted = [zoneLabel, 'node.kubernetes.io/exclude-disruption'];
	return nodes.some(
		({name, labels}) =>
			name === step.node && counted.some((label) => labels?.[label] !== step.labels?.[label]),
	);
}

function nodeOf(step: ScenarioStep, pods: Scenario['pods']): string | undefined {
	switch (step.do) {
		case 'add-pod':
			return step.podSpec.node;
		case 'add-node':
			return step.nodeSpec.name;
		case 'set-tolerations':
		case 'delete-pod':
			return pods.find(({name, namespace}) => `${namespace}/${name}` === step.pod)?.node;
		default:
			return 'node' in step ? step.node : undefined;
	}
}

function kindOf(step: ScenarioStep): Step['kind'] | undefined {
	switch (step.do) {
		case 'stop-kubelet':
			return 'stop';
		case 'start-kubelet':
		case 'set-condition':
		case 'add-node':
		case 'delete-lease':
			return 'start';
		case 'stop-controllers':
			return 'restart';
		case 'delete-node':
			return 'delete';
		case 'add-taint':
		case 'remove-taint':
			return 'taint';
		case 'set-labels':
		case 'set-tolerations':
		case 'add-pod':
		case 'delete-pod':
			return 'label';
		default:
			return undefined;
	}
}
