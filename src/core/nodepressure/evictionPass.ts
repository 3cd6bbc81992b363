import type {Instant} from '../time/instant.ts';
import {protectionOf} from './criticalPod.ts';
import type {EvictionEffect, PressurePassStep} from './evictionEffect.ts';
import {assess, type EvictionState} from './evictionState.ts';
import type {EvictionWorld} from './evictionWorld.ts';
import {exceededLimits} from './localStorageLimits.ts';
import type {NodePod} from './nodePod.ts';
import {immediateGraceSeconds, reclaim} from './reclaim.ts';
import {type PodStats, statsByUid} from './summary.ts';
import {type FileSystems, withContainerFsThresholds} from './thresholds/containerFsThresholds.ts';
import type {EvictionSettings} from './thresholds/evictionSettings.ts';
import {type PressureCondition, pressureConditions} from './thresholds/signal.ts';

/** The result of a pass: its new state, its immediate effects, and the steps that follow, one after another. */
type PassResult = {
	readonly state: EvictionState;
	readonly effects: readonly EvictionEffect[];
	readonly steps: readonly PressurePassStep[];
};

/**
 * One pass of the eviction manager.
 *
 * @quirk containerfs thresholds that were not configured are evaluated from the second pass on
 * @quirk where statistics fail nothing is forgotten, and grace periods run on
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/eviction_manager.go synchronize
 */
export function synchronize(
	before: EvictionState,
	settings: EvictionSettings,
	world: EvictionWorld,
	now: Instant,
): PassResult {
	if (before.thresholds.length === 0 && !settings.localStorageCapacityIsolation) return idle(before);
	const fileSystems = before.fileSystems ?? world.fileSystems(now);
	if ('error' in fileSystems) {
		const error = `eviction manager: failed to get HasDedicatedImageFs: ${fileSystems.error}`;
		return idle(before, [{type: 'synchronizeFailed', error}]);
	}
	const known = before.fileSystems ? before : withFileSystems(before, fileSystems);
	const pods = world.activePods(now);
	const measured = world.measured(now);
	if ('error' in measured) {
		return idle(known, [{type: 'passStarted'}, {type: 'statsFailed', error: measured.error}]);
	}
	const evaluated = known.thresholds.slice(0, before.thresholds.length);
	const {state, actionable} = assess(known, evaluated, measured, settings, now);
	const stats = statsByUid(measured);
	const effects: EvictionEffect[] = [{type: 'passStarted'}, ...conditionChanges(before, state)];
	const limited = settings.localStorageCapacityIsolation ? overLimit(pods, stats, fileSystems) : [];
	if (limited.some(({type}) => type === 'killed')) return {state, effects, steps: limited};
	const reclaimed = reclaim({state, fileSystems, settings, world, pods, stats, actionable}, now);
	return {
		state,
		effects: [...effects, ...limited, ...reclaimed.effects],
		steps: reclaimed.steps,
	};
}

const idle = (state: EvictionState, effects: readonly EvictionEffect[] = []): PassResult => ({
	state,
	effects,
	steps: [],
});

const withFileSystems = (state: EvictionState, fileSystems: FileSystems): EvictionState => ({
	...state,
	fileSystems,
	thresholds: withContainerFsThresholds(state.thresholds, fileSystems),
});

/**
 * @quirk any number of pods over their own storage limits are killed in one pass, and thresholds wait for newer statistics
 * @quirk a critical pod over several limits of its own is refused once for each
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/eviction_manager.go localStorageEviction
 */
function overLimit(
	pods: readonly NodePod[],
	stats: ReadonlyMap<string, PodStats>,
	fileSystems: FileSystems,
): readonly PressurePassStep[] {
	return pods.flatMap((pod): readonly PressurePassStep[] => {
		const ofPod = stats.get(pod.uid);
		const exceeded = ofPod ? exceededLimits(pod, ofPod, fileSystems) : [];
		if (protectionOf(pod)) return exceeded.map(() => ({type: 'criticalSkipped', pod}));
		return exceeded.slice(0, 1).map(({signal, message}) => ({
			type: 'killed',
			pod,
			signal,
			graceSeconds: immediateGraceSeconds,
			message,
			isDisruptionTarget: false,
		}));
	});
}

function conditionChanges(before: EvictionState, after: EvictionState): readonly EvictionEffect[] {
	const isTrueIn = ({conditions}: EvictionState, condition: PressureCondition) =>
		conditions.includes(condition);
	const changed = pressureConditions.filter((one) => isTrueIn(before, one) !== isTrueIn(after, one));
	return changed.toSorted().map((condition) => ({
		type: 'conditionChanged',
		condition,
		isTrue: isTrueIn(after, condition),
	}));
}
