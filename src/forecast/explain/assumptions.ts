import type {Situation} from '../situation.ts';
import {flag, goDuration} from './words.ts';

/** What an explanation takes for granted. */
export function assumptionsOf(situation: Situation): readonly string[] {
	const {settings, evidence, leader, ensemble, kubernetesVersion} = situation;
	const assumptions = [
		'nothing else changes: kubelets that renew go on, silent ones stay silent, nobody deletes pods or nodes or touches taints and tolerations',
		`the controllers follow the rules of ${kubernetesVersion ?? 'the newest known version'}, with ${flag('node-monitor-period', goDuration(settings.nodeMonitorPeriod))}, ${flag('node-monitor-grace-period', goDuration(settings.nodeMonitorGracePeriod))}, ${flag('node-eviction-rate', settings.nodeEvictionRate)}`,
	];
	if (leader.type === 'unseen') {
		assumptions.push(
			'a controller manager runs, and has for long: its leader lease kube-system/kube-controller-manager cannot be seen',
		);
	}
	if (!evidence.hasLeases) {
		assumptions.push(
			'kubelets are judged by the status that they post every five minutes: the leases of kube-node-lease cannot be read',
		);
	}
	if (ensemble.phase.next.hi - ensemble.phase.next.lo >= settings.nodeMonitorPeriod) {
		assumptions.push(
			'the next monitor pass may begin at any instant of its period: nothing seen so far shows its rhythm',
		);
	}
	return assumptions;
}
