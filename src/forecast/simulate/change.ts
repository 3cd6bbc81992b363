import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import type {DeviceIdentity} from '../../core/model/device.ts';
import {matchesTaint, type Taint, type TaintIdentity} from '../../core/model/taint.ts';
import type {Toleration} from '../../core/model/toleration.ts';
import type {ProcessSettings} from '../../core/nodelifecycle/processSettings.ts';
import type {TimedEffect} from '../../core/simulation/effect.ts';
import type {Simulation} from '../../core/simulation/simulation.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';
import {statusInterval} from '../infer/machine.ts';

/** A supposed change of the cluster, at an instant that is never before that of the forecast. */
export type Change = {readonly at: Instant} & ChangeKind;

export type ChangeKind =
	/** Its kubelet falls silent: the machine is off, or disconnected. */
	| {readonly type: 'nodeDown'; readonly node: string}
	/** Its kubelet renews its lease and posts Ready again. */
	| {readonly type: 'nodeBack'; readonly node: string}
	/** The Node object is deleted, and its kubelet stops. */
	| {readonly type: 'deleteNode'; readonly node: string}
	| {readonly type: 'cordon'; readonly node: string; readonly unschedulable: boolean}
	| {readonly type: 'taint'; readonly node: string; readonly taint: Taint}
	/** Removes taints with this key, and with this effect if given. */
	| Readonly<{type: 'untaint'; node: string; key: string; effect?: Taint['effect']}>
	/** A driver taints a device of its own. */
	| {
			readonly type: 'deviceTaint';
			readonly device: DeviceIdentity;
			readonly taint: Taint;
	  }
	/** Gives a pod other tolerations. The API server would only accept more of them, or other seconds. */
	| {readonly type: 'tolerations'; readonly pod: string; readonly tolerations: readonly Toleration[]}
	/** No controller manager runs any more; `lostWith` names the node that it ran on, if that is the reason. */
	| {readonly type: 'controllersDown'; readonly lostWith?: string}
	/** New controllers replace those that run, with other flags if given. */
	| {readonly type: 'controllersStart'; readonly settings?: Partial<ControllerSettings>};

/** The node that a change is made to; undefined if there is none. */
export const nodeOfChange = (change: ChangeKind): string | undefined =>
	'node' in change ? change.node : undefined;

/** Whether a change makes a difference to the simulated controllers: they read neither tolerations nor devices. */
export const isSimulated = ({type}: ChangeKind) => type !== 'tolerations' && type !== 'deviceTaint';

/** Whether an untaint removes a taint. */
export const isUntainted = (
	{key, effect}: {readonly key: string; readonly effect?: Taint['effect'] | undefined},
	taint: TaintIdentity,
) => taint.key === key && (effect === undefined || taint.effect === effect);

/** What a simulation itself does not know: how often a node's kubelet renews, and the flags in force. */
type ChangedWorld = {
	readonly renewIntervalOf: (node: string) => Duration;
	readonly settings: ControllerSettings;
	/** The behaviour of the machine that new controllers run on. */
	readonly process: ProcessSettings;
};

/** Applies a change to a simulated cluster at its present instant. */
export function applyChange(
	change: Change,
	machine: Simulation,
	{renewIntervalOf, settings, process}: ChangedWorld,
): readonly TimedEffect[] {
	switch (change.type) {
		case 'nodeDown':
			machine.stopKubelet(change.node);
			return [];
		case 'nodeBack': {
			if (!machine.state.node(change.node)) return [];
			const renewInterval = renewIntervalOf(change.node);
			const heartbeat = {firstRenewalAt: machine.now, renewInterval, statusInterval, hasLease: true};
			return machine.startKubelet(change.node, heartbeat, true);
		}
		case 'deleteNode':
			machine.stopKubelet(change.node);
			machine.state.putLease(change.node, undefined);
			return machine.observe({type: 'nodeDeleted', name: change.node});
		case 'cordon':
			return machine.editNode(change.node, (node) => ({...node, unschedulable: change.unschedulable}));
		case 'taint':
			return machine.editNode(change.node, (node) => ({
				...node,
				taints: [...node.taints.filter((taint) => !matchesTaint(taint, change.taint)), change.taint],
			}));
		case 'untaint':
			return machine.editNode(change.node, (node) => ({
				...node,
				taints: node.taints.filter((taint) => !isUntainted(change, taint)),
			}));
		case 'deviceTaint':
		case 'tolerations':
			return [];
		case 'controllersDown':
			machine.stopControllers();
			return [];
		case 'controllersStart':
			return machine.startControllers({...settings, ...change.settings}, process);
	}
}
