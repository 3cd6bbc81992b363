import type {Instant} from '../time/instant.ts';
import {protectionOf} from './criticalPod.ts';
import type {EvictionEffect, PressurePassStep} from './evictionEffect.ts';
import {evictionMessage} from './evictionMessage.ts';
import type {EvictionState} from './evictionState.ts';
import type {EvictionWorld} from './evictionWorld.ts';
import {garbageCollections} from './fileSystemLayout.ts';
import type {NodePod} from './nodePod.ts';
import {type RankedPod, rankPods} from './ranking.ts';
import type {PodStats} from './summary.ts';
import type {FileSystems} from './thresholds/containerFsThresholds.ts';
import type {EvictionSettings} from './thresholds/evictionSettings.ts';
import {resourceOf, type Signal} from './thresholds/signal.ts';
import {isHard, type Threshold} from './thresholds/threshold.ts';
import {thresholdsMet} from './thresholds/thresholdsMet.ts';

/** What a pass knows after it has evaluated the statistics. */
type Shortage = Readonly<{
	state: EvictionState;
	fileSystems: FileSystems;
	settings: EvictionSettings;
	world: EvictionWorld;
	pods: readonly NodePod[];
	stats: ReadonlyMap<string, PodStats>;
	actionable: readonly Threshold[];
}>;

/**
 * The grace period in seconds of an eviction for a hard threshold or for a limit of a pod's own storage.
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/eviction_manager.go immediateEvictionGracePeriodSeconds
 */
export const immediateGraceSeconds = 1;

/**
 * Acts on the thresholds that are met: frees what the kubelet itself can free, or else selects the one pod to kill.
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/eviction_manager.go synchronize
 */
export function reclaim(shortage: Shortage, now: Instant) {
	const {actionable, world, pods, stats, fileSystems} = shortage;
	const [first, ...others] = reclaimCandidates(actionable);
	if (!first) return {effects: [], steps: []};
	const candidates = [first, ...others] as const;
	const threshold = others.length === 0 ? first : world.choose(candidates);
	const resource = resourceOf(threshold.signal);
	const effects: EvictionEffect[] = [{type: 'reclaimAttempted', resource, threshold, candidates}];
	const collected = collectGarbage(threshold.signal, shortage, now);
	effects.push(...collected.effects);
	if (collected.isEnough) effects.push({type: 'nodeReclaimSufficed', resource});
	else if (pods.length === 0) effects.push({type: 'noActivePods'});
	else {
		const order = rankPods(pods, stats, threshold.signal, fileSystems);
		effects.push({type: 'ranked', signal: threshold.signal, order});
		const steps = stepsDown(order, threshold, shortage);
		if (steps.some(({type}) => type === 'killed')) return {effects, steps};
		effects.push(...steps, {type: 'noVictim'});
	}
	return {effects, steps: []};
}

/**
 * The thresholds that may be reclaimed for first: those of memory if there are any, else all.
 *
 * @quirk among several thresholds that may come first, chance decides
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go byEvictionPriority
 */
function reclaimCandidates(actionable: readonly Threshold[]): readonly Threshold[] {
	const ofMemory = actionable.filter(({signal}) => resourceOf(signal) === 'memory');
	return ofMemory.length > 0 ? ofMemory : actionable;
}

/**
 * @quirk collecting garbage suffices only where no threshold of any signal is met any more, soft ones in grace included
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/eviction_manager.go reclaimNodeLevelResources
 */
function collectGarbage(signal: Signal, {state, fileSystems, world}: Shortage, now: Instant) {
	const effects: EvictionEffect[] = [];
	const collections = garbageCollections(signal, fileSystems);
	for (const what of collections) {
		const failure = world.collectGarbage(what, now);
		effects.push({type: 'garbageCollected', what, ...failure});
	}
	if (collections.length === 0) return {effects, isEnough: false};
	const measured = world.measured(now);
	if ('error' in measured) {
		effects.push({type: 'statsFailed', error: measured.error});
		return {effects, isEnough: false};
	}
	const isEnough = thresholdsMet(state.thresholds, measured.observations, true).length === 0;
	return {effects, isEnough};
}

/** Walks down the order to the first pod that may be killed: one per pass. */
function stepsDown(
	order: readonly RankedPod[],
	threshold: Threshold,
	{actionable, settings, stats, state}: Shortage,
): readonly PressurePassStep[] {
	const steps: PressurePassStep[] = [];
	const resource = resourceOf(threshold.signal);
	const driving = [threshold, ...actionable.filter((other) => other !== threshold)];
	for (const {pod} of order) {
		if (protectionOf(pod)) {
			steps.push({type: 'criticalSkipped', pod});
			continue;
		}
		steps.push({
			type: 'killed',
			pod,
			signal: threshold.signal,
			graceSeconds: graceOverride(pod, threshold, settings),
			...evictionMessage(resource, pod, stats.get(pod.uid), driving, state.observations),
			isDisruptionTarget: true,
		});
		break;
	}
	return steps;
}

/**
 * A pod's grace period in seconds: one for a hard threshold; for a soft one the kubelet's maximum, or the pod's own
 * if that is shorter.
 *
 * @quirk a soft eviction's grace of zero or less is passed on as it is
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/eviction_manager.go synchronize
 */
function graceOverride(pod: NodePod, threshold: Threshold, settings: EvictionSettings): number {
	if (isHard(threshold)) return immediateGraceSeconds;
	return Math.min(
		settings.maxPodGracePeriodSeconds,
		pod.terminationGracePeriodSeconds ?? Number.POSITIVE_INFINITY,
	);
}
