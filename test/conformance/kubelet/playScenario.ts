import {type Taint, taintMemoryPressure} from '../../../src/core/model/taint.ts';
import {toleratesTaint} from '../../../src/core/model/toleration.ts';
import {protectionOf} from '../../../src/core/nodepressure/criticalPod.ts';
import type {EvictionEffect, TimedEvictionEffect} from '../../../src/core/nodepressure/evictionEffect.ts';
import {EvictionLoop} from '../../../src/core/nodepressure/evictionLoop.ts';
import type {NodePod} from '../../../src/core/nodepressure/nodePod.ts';
import {evictionSettings} from '../../../src/core/nodepressure/thresholds/evictionSettings.ts';
import type {PressureCondition} from '../../../src/core/nodepressure/thresholds/signal.ts';
import type {Threshold} from '../../../src/core/nodepressure/thresholds/threshold.ts';
import {second} from '../../../src/core/time/instant.ts';
import {qosClassOf} from '../../support/kubeletQosClass.ts';
import {decodePod, ScenarioWorld} from './scenarioWorld.ts';
import type {KubeletEvent, KubeletScenario, KubeletTrace} from './vector.ts';

/** Whether a kubelet admits a pod; if not, its message. The reason is always Evicted. */
type Admission = {readonly isAdmitted: true} | {readonly isAdmitted: false; readonly message: string};

const memoryPressure: Taint = {key: taintMemoryPressure, value: '', effect: 'NoSchedule'};

/**
 * Decides about a pod that is bound to a node with these pressure conditions. Upstream lists them in random order. Under memory
 * pressure alone only pods of the class BestEffort are refused, and of these not all; other conditions refuse every pod that is
 * not critical, whatever it tolerates.
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/eviction_manager.go Admit
 */
function admitPod(pod: NodePod, conditions: readonly PressureCondition[]): Admission {
	if (conditions.length === 0 || protectionOf(pod) !== undefined) return {isAdmitted: true};
	if (conditions.length === 1 && conditions[0] === 'MemoryPressure') {
		const tolerates = pod.tolerations.some((toleration) => toleratesTaint(toleration, memoryPressure, false));
		if (tolerates || qosClassOf(pod) !== 'BestEffort') return {isAdmitted: true};
	}
	return {isAdmitted: false, message: `The node had condition: [${conditions.join(' ')}]. `};
}

/** Makes a random choice among candidates. @param eventsBefore the number of events before this instant */
export type Choose = (candidates: readonly Threshold[], eventsBefore: number) => number;

/**
 * Plays a scenario through the ported manager.
 *
 * @param isEnough whether the events so far are sufficient
 */
export function playScenario(
	scenario: KubeletScenario,
	choose: Choose,
	isEnough: (trace: readonly KubeletEvent[]) => boolean = () => false,
): KubeletTrace {
	const {config, untilSeconds, admissionProbes} = scenario;
	const settings = evictionSettings({...config, enforceNodeAllocatable: config.enforceNodeAllocatable ?? []});
	const trace: KubeletEvent[] = [];
	const passes: number[] = [];
	const world = new ScenarioWorld(scenario, (candidates) => choose(candidates, trace.length));
	const loop = new EvictionLoop(settings, world, 0);
	const until = untilSeconds * second;
	const probes = (admissionProbes ?? []).toSorted((a, b) => a.atMs - b.atMs);
	// A pass that would start later is not run; a kill in progress is completed, with its cleanup.
	while ((loop.nextDueAt <= until || loop.phase.type !== 'resting') && !isEnough(trace)) {
		for (let probe = probes[0]; probe && probe.atMs < loop.nextDueAt; probe = probes[0]) {
			trace.push(admitted(probe.atMs, decodePod(probe.pod), loop));
			probes.shift();
		}
		const effects = loop.advanceTo(loop.nextDueAt);
		const late = effects.findIndex(({at, effect}) => effect.type === 'passStarted' && at > until);
		take(effects.slice(0, late === -1 ? effects.length : late), trace, passes);
		if (late !== -1) break;
	}
	trace.push(...probes.map(({atMs, pod}) => admitted(atMs, decodePod(pod), loop)));
	return {trace, passes};
}

function take(effects: readonly TimedEvictionEffect[], trace: KubeletEvent[], passes: number[]): void {
	for (const {at, effect} of effects) {
		if (effect.type === 'passStarted') passes.push(at);
		else trace.push(...eventsOf(effect).map(({kind, ...fields}) => ({at, kind, ...fields})));
	}
}

function admitted(at: number, pod: NodePod, {state}: EvictionLoop): KubeletEvent {
	const verdict = admitPod(pod, state.conditions);
	return {
		at,
		kind: 'admit',
		pod: keyOf(pod),
		admit: verdict.isAdmitted,
		...(!verdict.isAdmitted && {reason: 'Evicted', message: verdict.message}),
	};
}

const keyOf = ({namespace, name}: NodePod) => `${namespace}/${name}`;

type BareEvent = {readonly kind: string} & Readonly<Record<string, unknown>>;

function eventsOf(effect: EvictionEffect): readonly BareEvent[] {
	switch (effect.type) {
		case 'passStarted':
			return [];
		case 'conditionChanged':
			return [{kind: 'condition', condition: effect.condition, status: effect.isTrue}];
		case 'reclaimAttempted':
			return [{kind: 'reclaim-attempt', resource: effect.resource}];
		case 'garbageCollected':
			return [
				{kind: 'node-reclaim', op: effect.what},
				...(effect.error === undefined ? [] : [{kind: 'node-reclaim-error', error: effect.error}]),
			];
		case 'nodeReclaimSufficed':
			return [{kind: 'node-reclaim-sufficient', resource: effect.resource}];
		case 'ranked':
			return [{kind: 'rank', pods: effect.order.map(({pod}) => keyOf(pod))}];
		case 'criticalSkipped':
			return [{kind: 'skip-critical', pod: keyOf(effect.pod)}];
		case 'killed':
			return [
				{
					kind: 'kill',
					pod: keyOf(effect.pod),
					signal: effect.signal,
					graceSeconds: effect.graceSeconds,
					reason: 'Evicted',
					message: effect.message,
					disruptionTarget: effect.isDisruptionTarget,
					...(Object.keys(effect.annotations ?? {}).length > 0 && {annotations: effect.annotations}),
				},
			];
		case 'killTimedOut':
			return [{kind: 'kill-timeout', pod: keyOf(effect.pod), error: 'timeout waiting to kill pod'}];
		case 'cleanedUp':
			return [{kind: 'cleaned-up', pods: effect.pods.map(keyOf)}];
		case 'cleanupTimedOut':
			return [{kind: 'cleanup-timeout', pods: effect.pods.map(keyOf)}];
		case 'noVictim':
			return [{kind: 'no-victim'}];
		case 'noActivePods':
			return [{kind: 'no-active-pods'}];
		case 'statsFailed':
			return [{kind: 'stats-error', error: effect.error}];
		case 'synchronizeFailed':
			return [{kind: 'sync-error', error: effect.error}];
	}
}
