import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {matchesTaint} from '../../core/model/taint.ts';
import type {ProcessSettings} from '../../core/nodelifecycle/nodeLifecycleController.ts';
import type {TimedEffect} from '../../core/simulation/effect.ts';
import type {Simulation} from '../../core/simulation/simulation.ts';
import type {Duration} from '../../core/time/instant.ts';
import {statusInterval} from '../infer/machineProcess.ts';
import {type Change, isUntainted} from './change.ts';

/** What a simulation cannot tell by itself: how often a node's kubelet renews, and the flags that are in force. */
export type ChangedWorld = {
	readonly renewIntervalOf: (node: string) => Duration;
	readonly settings: ControllerSettings;
	/** How the machine that new controllers run on behaves. */
	readonly process: ProcessSettings;
};

/** Does a change to a simulated cluster at its present instant. */
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
		case 'tolerations':
			return [];
		case 'controllersDown':
			machine.stopControllers();
			return [];
		case 'controllersStart':
			return machine.startControllers({...settings, ...change.settings}, process);
	}
}
