import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {formatGoDuration} from '../../core/model/goValues.ts';
import type {Problem} from '../../core/model/problem.ts';
import {type Duration, second} from '../../core/time/instant.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {jitterOf} from '../observe/nodes/renewInterval.ts';
import {someOf} from '../words.ts';

/** How many renewals may be lost before a node should count as silent: the lease itself lasts as long. */
const renewalsSpared = 4;

/**
 * A kubelet notices a broken connection after 30 s without a frame and 15 s without an answer to a ping, and only then opens
 * a new one.
 *
 * @upstream kubernetes v1.36.3 cmd/kube-controller-manager/app/options/nodelifecyclecontroller.go AddFlags
 */
const connectionTimeout: Duration = 45 * second;

/** The last is the setting of which every forecast warns, if it applies. */
type Rule = readonly [applies: boolean, reason: string, message: string, warnedOf?: keyof ControllerSettings];

/** @param renew how often kubelets renew their leases */
function graceRules(
	{nodeMonitorPeriod, nodeMonitorGracePeriod}: ControllerSettings,
	renew: Duration,
): readonly Rule[] {
	const grace = `node-monitor-grace-period ${formatGoDuration(nodeMonitorGracePeriod)}`;
	return [
		[
			nodeMonitorGracePeriod < renewalsSpared * renew,
			'GraceBelowRenewals',
			`${grace} is less than ${renewalsSpared} renewals, ${formatGoDuration(renew)} apart: a few lost renewals make a node Unknown, and nodes flap`,
		],
		[
			nodeMonitorGracePeriod <= connectionTimeout,
			'GraceBelowConnectionTimeout',
			`${grace} is not above ${formatGoDuration(connectionTimeout)}, which is how long a kubelet takes to notice a dead connection to the API server: its node turns Unknown although it is healthy`,
		],
		[
			nodeMonitorPeriod > nodeMonitorGracePeriod,
			'PeriodAboveGrace',
			`node-monitor-period ${formatGoDuration(nodeMonitorPeriod)} is above ${grace}: a node that renews nothing between two passes is Unknown`,
		],
	];
}

function otherRules(settings: ControllerSettings): readonly Rule[] {
	const {nodeEvictionRate, secondaryNodeEvictionRate, unhealthyZoneThreshold} = settings;
	return [
		[
			Math.fround(nodeEvictionRate) === 1,
			'RateOne',
			'node-eviction-rate 1 is what a stopped zone reports as its own rate: a zone that was stopped once stays stopped until the controllers start again; 0.99 or 2 does not',
		],
		[
			Math.fround(secondaryNodeEvictionRate) === 1,
			'SecondaryRateOne',
			'secondary-node-eviction-rate 1 is what a stopped zone reports as its own rate: after all zones were down, a large zone that is partly down stays stopped',
		],
		[
			nodeEvictionRate <= 0,
			'RateZero',
			'node-eviction-rate 0 lets only the first node of each zone be tainted',
		],
		[
			nodeEvictionRate > 0 && secondaryNodeEvictionRate > nodeEvictionRate,
			'SecondaryRateAboveRate',
			`secondary-node-eviction-rate ${secondaryNodeEvictionRate} is above node-eviction-rate ${nodeEvictionRate}: a large zone evicts faster when more of it is down`,
		],
		[
			unhealthyZoneThreshold > 1,
			'ThresholdNeverReached',
			`unhealthy-zone-threshold ${unhealthyZoneThreshold} is never reached (it is a share: 55 % is 0.55): a zone that loses its network is evicted to its last node`,
			'unhealthyZoneThreshold',
		],
		[
			unhealthyZoneThreshold < 0.1,
			'ThresholdLow',
			`unhealthy-zone-threshold ${unhealthyZoneThreshold} stops a small zone as soon as three of its nodes are down`,
		],
		[
			!settings.nodeLifecycle,
			'NodeLifecycleOff',
			'the node lifecycle controller is switched off: no silent node turns Unknown, and no pod is evicted',
			'nodeLifecycle',
		],
		[
			!settings.taintEviction,
			'TaintEvictionOff',
			'the taint-eviction controller is switched off: nodes are tainted, and their pods stay',
		],
	];
}

const rules = (settings: ControllerSettings, renew: Duration): readonly Rule[] =>
	[...graceRules(settings, renew), ...otherRules(settings)].filter(([applies]) => applies);

/** Finds combinations of settings that make nodes flap, or do not have their apparent effect. */
export const risksOf = (settings: ControllerSettings, renewInterval: Duration): readonly Problem[] =>
	rules(settings, renewInterval).map(([, reason, message]) => ({reason, message}));

/** Those of which every forecast warns, with the setting of which they come. */
export const warnedRisks = (settings: ControllerSettings) =>
	rules(settings, 0).flatMap(([, reason, message, key]) => (key ? [{key, reason, message}] : []));

/**
 * The nodes that turn Unknown though they are well: a pass that comes before their next renewal finds the grace period over.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go tryUpdateNodeHealth
 */
export function flapping(nodes: Iterable<NodeEvidence>, settings: ControllerSettings): readonly Problem[] {
	const {nodeMonitorGracePeriod: grace, nodeLifecycle} = settings;
	if (!nodeLifecycle) return [];
	const names = [...nodes].flatMap(({node, renewTime, renewInterval: every, slowestRenewal}) =>
		renewTime !== undefined && Math.max(every + jitterOf(every), slowestRenewal) >= grace ? node.name : [],
	);
	if (names.length === 0) return [];
	const message = `node-monitor-grace-period ${formatGoDuration(grace)} is no longer than what kubelets take between two renewals: ${someOf(names)} may turn Unknown again and again though well, and pods that tolerate that only briefly are evicted`;
	return [{reason: 'NodesFlap', message}];
}
