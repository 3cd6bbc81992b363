import {defaultSettings} from '../../src/core/model/versionProfile.ts';
import {minute, second} from '../../src/core/time/instant.ts';
import type {Forecaster} from '../../src/forecast/forecaster.ts';
import {aForecaster} from './aForecaster.ts';
import {aCondition, aLeader, aLease, aNode, aPod, inZone, tolerates} from './builders.ts';

export const now = 60 * minute;

/** A node, and the age of its last renewal in seconds; its zone is the first letter of its name. */
type Seen = {readonly node: ReturnType<typeof aNode>; readonly renewed: number};

const seen = (name: string, renewed: number, ready: ReturnType<typeof aCondition>): Seen => ({
	node: aNode(name, {labels: inZone(name.slice(0, 1)), conditions: [ready]}),
	renewed,
});

/** A node that became Unknown `since` seconds ago, and has no taint yet. */
export const aDownNode = (name: string, since: number): Seen =>
	seen(
		name,
		since + 52,
		aCondition('Ready', 'Unknown', {
			lastTransitionTime: now - since * second,
			lastHeartbeatTime: now - (since + 60) * second,
		}),
	);

/** A ready node that renewed its lease `renewed` seconds ago. */
export const aReadyNode = (name: string, renewed = 3): Seen =>
	seen(name, renewed, aCondition('Ready', 'True', {lastHeartbeatTime: now - minute}));

/**
 * A forecaster after one list of nodes, each with a pod that tolerates its taint for five minutes.
 *
 * @param leaderRenewed how many seconds ago the controller manager renewed its lease
 */
export function forecasterOf(
	nodes: readonly Seen[],
	settings = defaultSettings,
	leaderRenewed = 1,
): Forecaster {
	const forecaster = aForecaster(settings, {
		observedAt: now,
		kubernetesVersion: 'v1.36.3',
		nodes: nodes.map(({node}) => node),
		leases: [
			...nodes.map(({node, renewed}) => aLease(node.name, now - renewed * second)),
			aLeader(now - leaderRenewed * second, now - 60 * minute),
		],
		pods: nodes.map(({node: {name, conditions}}) => {
			const ready = conditions.find(({status}) => status !== 'True');
			return aPod(`pod-${name}`, {
				nodeName: name,
				tolerations: [tolerates('node.kubernetes.io/unreachable', 300)],
				...(ready && {ready: 'False', readyChangedAt: ready.lastTransitionTime}),
			});
		}),
	});
	return forecaster;
}
