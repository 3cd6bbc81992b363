import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {formatGoDuration} from '../../core/model/goValues.ts';
import type {Problem} from '../../core/model/problem.ts';
import {type Duration, second} from '../../core/time/instant.ts';

/** How many renewals may be lost before a node should count as silent: the lease itself lasts as long. */
const renewalsSpared = 4;

/**
 * A kubelet notices a broken connection after 30 s without a frame and 15 s without an answer to a ping, and only then opens
 * a new one.
 *
 * @upstream kubernetes v1.36.3 cmd/kube-controller-manager/app/options/nodelifecyclecontroller.go AddFlags
 */
const connectionTimeout: Duration = 45 * second;

type Rule = {
	readonly reason: string;
	readonly applies: (settings: ControllerSettings, renewInterval: Duration) => boolean;
	readonly message: (settings: ControllerSettings, renewInterval: Duration) => string;
};

const rules: readonly Rule[] = [
	{
		reason: 'GraceBelowRenewals',
		applies: ({nodeMonitorGracePeriod}, renew) => nodeMonitorGracePeriod < renewalsSpared * renew,
		message: ({nodeMonitorGracePeriod}, renew) =>
			`node-monitor-grace-period ${formatGoDuration(nodeMonitorGracePeriod)} is less than ${renewalsSpared} renewals, ` +
			`${formatGoDuration(renew)} apart: a few lost renewals make a node Unknown, and nodes flap`,
	},
	{
		reason: 'GraceBelowConnectionTimeout',
		applies: ({nodeMonitorGracePeriod}) => nodeMonitorGracePeriod <= connectionTimeout,
		message: ({nodeMonitorGracePeriod}) =>
			`node-monitor-grace-period ${formatGoDuration(nodeMonitorGracePeriod)} is not above ` +
			`${formatGoDuration(connectionTimeout)}, which is how long a kubelet takes to notice a dead connection to the API server: ` +
			'its node turns Unknown although it is healthy',
	},
	{
		reason: 'PeriodAboveGrace',
		applies: ({nodeMonitorPeriod, nodeMonitorGracePeriod}) => nodeMonitorPeriod > nodeMonitorGracePeriod,
		message: ({nodeMonitorPeriod, nodeMonitorGracePeriod}) =>
			`node-monitor-period ${formatGoDuration(nodeMonitorPeriod)} is above node-monitor-grace-period ` +
			`${formatGoDuration(nodeMonitorGracePeriod)}: a node that renews nothing between two passes is Unknown`,
	},
	{
		reason: 'RateOne',
		applies: ({nodeEvictionRate}) => Math.fround(nodeEvictionRate) === 1,
		message: () =>
			'node-eviction-rate 1 is what a stopped zone reports as its own rate: a zone that was stopped once stays ' +
			'stopped until the controllers start again; 0.99 or 2 does not',
	},
	{
		reason: 'SecondaryRateOne',
		applies: ({secondaryNodeEvictionRate}) => Math.fround(secondaryNodeEvictionRate) === 1,
		message: () =>
			'secondary-node-eviction-rate 1 is what a stopped zone reports as its own rate: after all zones were down, a ' +
			'large zone that is partly down stays stopped',
	},
	{
		reason: 'RateZero',
		applies: ({nodeEvictionRate}) => nodeEvictionRate <= 0,
		message: () => 'node-eviction-rate 0 lets only the first node of each zone be tainted',
	},
	{
		reason: 'SecondaryRateAboveRate',
		applies: ({nodeEvictionRate, secondaryNodeEvictionRate}) =>
			nodeEvictionRate > 0 && secondaryNodeEvictionRate > nodeEvictionRate,
		message: ({nodeEvictionRate, secondaryNodeEvictionRate}) =>
			`secondary-node-eviction-rate ${secondaryNodeEvictionRate} is above node-eviction-rate ${nodeEvictionRate}: a ` +
			'large zone evicts faster when more of it is down',
	},
	{
		reason: 'ThresholdNeverReached',
		applies: ({unhealthyZoneThreshold}) => unhealthyZoneThreshold > 1,
		message: ({unhealthyZoneThreshold}) =>
			`unhealthy-zone-threshold ${unhealthyZoneThreshold} is never reached: a zone that loses its network is evicted ` +
			'to its last node',
	},
	{
		reason: 'ThresholdLow',
		applies: ({unhealthyZoneThreshold}) => unhealthyZoneThreshold < 0.1,
		message: ({unhealthyZoneThreshold}) =>
			`unhealthy-zone-threshold ${unhealthyZoneThreshold} stops a small zone as soon as three of its nodes are down`,
	},
	{
		reason: 'NodeLifecycleOff',
		applies: ({nodeLifecycle}) => !nodeLifecycle,
		message: () =>
			'the node lifecycle controller is switched off: no silent node turns Unknown, and no pod is evicted',
	},
	{
		reason: 'TaintEvictionOff',
		applies: ({taintEviction}) => !taintEviction,
		message: () => 'the taint-eviction controller is switched off: nodes are tainted, and their pods stay',
	},
];

/** Finds combinations of settings that make nodes flap, or do not have their apparent effect. */
export const risksOf = (settings: ControllerSettings, renewInterval: Duration): readonly Problem[] =>
	rules
		.filter(({applies}) => applies(settings, renewInterval))
		.map(({reason, message}) => ({reason, message: message(settings, renewInterval)}));
