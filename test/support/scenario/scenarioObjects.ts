import type {ControllerSettings} from '../../../src/core/model/controllerSettings.ts';
import type {Node, NodeCondition} from '../../../src/core/model/node.ts';
import type {Pod} from '../../../src/core/model/pod.ts';
import type {Taint} from '../../../src/core/model/taint.ts';
import type {Toleration} from '../../../src/core/model/toleration.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import type {
	ScenarioConfig,
	ScenarioNode,
	ScenarioPod,
	ScenarioTaint,
	ScenarioToleration,
} from './scenario.ts';

/** Converts seconds of a scenario file to an instant, truncated to nanoseconds. */
export function instantOf(seconds: number, start: Instant): Instant {
	return start + Math.trunc(seconds * 1e9) / 1e6;
}

/** A scenario file's settings, over the defaults of a version. */
export function settingsOf(config: ScenarioConfig, defaults: ControllerSettings): ControllerSettings {
	const {podEvictionTimeout, taintBasedEvictions, ...rest} = config;
	return {
		...defaults,
		...rest,
		...(podEvictionTimeout !== undefined && {podEvictionTimeout: podEvictionTimeout * second}),
		...(taintBasedEvictions !== undefined && {taintBasedEvictions, taintEviction: taintBasedEvictions}),
		nodeMonitorPeriod: config.nodeMonitorPeriod * second,
		nodeStartupGracePeriod: config.nodeStartupGracePeriod * second,
		nodeMonitorGracePeriod: config.nodeMonitorGracePeriod * second,
		kubeApiQps: config.kubeApiQps ?? 0,
		kubeApiBurst: config.kubeApiBurst ?? 0,
	};
}

/** A node at its creation. Its conditions have a heartbeat one second before the start. */
export function nodeOf(spec: ScenarioNode, createdAt: Instant, start: Instant): Node {
	return {
		name: spec.name,
		uid: `uid-${spec.name}`,
		createdAt,
		labels: spec.labels ?? {},
		unschedulable: spec.unschedulable ?? false,
		taints: (spec.taints ?? []).map(taintOf),
		conditions: conditionsOf(spec, createdAt, start - second),
	};
}

function conditionsOf(
	{ready}: ScenarioNode,
	createdAt: Instant,
	postedAt: Instant,
): readonly NodeCondition[] {
	if (ready === 'none') return [];
	const times = {lastHeartbeatTime: postedAt, lastTransitionTime: createdAt};
	const pressures = ['MemoryPressure', 'DiskPressure', 'PIDPressure'];
	return [
		...pressures.map((type): NodeCondition => ({type, status: 'False', ...times})),
		{type: 'Ready', status: ready ?? 'True', ...times},
	];
}

export function taintOf({key, value, effect}: ScenarioTaint): Taint {
	return {key, value: value ?? '', effect};
}

export function scenarioToleration(spec: ScenarioToleration): Toleration {
	const {key = '', operator = '', value = '', effect = '', tolerationSeconds} = spec;
	return {key, operator, value, effect, ...(tolerationSeconds === undefined ? {} : {tolerationSeconds})};
}

export function podOf(spec: ScenarioPod, createdAt: Instant): Pod {
	const namespace = spec.namespace ?? 'default';
	const owner = {kind: spec.ownerKind ?? '', name: `owner-${spec.name}`, uid: `owner-${spec.name}`};
	return {
		namespace,
		name: spec.name,
		uid: `uid-${namespace}-${spec.name}`,
		nodeName: spec.node,
		createdAt,
		labels: spec.labels ?? {},
		tolerations: (spec.tolerations ?? []).map(scenarioToleration),
		phase: 'Running',
		ready: spec.ready === false ? 'False' : 'True',
		isMirror: false,
		...(spec.ownerKind ? {owner} : {}),
	};
}
