import {grouped} from '../../core/collections/grouped.ts';
import {assumedRelease} from '../../core/model/versionProfile.ts';
import {formatSettingValue} from '../settings/setting.ts';
import {flag, isoTime} from '../words.ts';
import type {Situation} from './situation.ts';

export function assumptionsOf(situation: Situation): readonly string[] {
	const {settings, evidence, leader, passes, kubernetesVersion} = situation;
	const words = settingWords(situation);
	const assumptions = [
		'nothing else changes: kubelets that renew go on, silent ones stay silent, nobody deletes pods or nodes or touches taints and tolerations',
		`the controllers follow the rules of ${kubernetesVersion ?? `v1.${assumedRelease}, as the version is not known`}${words && `, with ${words}`}`,
	];
	if (leader.type === 'unseen') {
		const {firstPass} = evidence.controllers;
		const since = firstPass
			? `since ${isoTime(firstPass.first.at.hi)}, as its events say`
			: 'and has run for long';
		assumptions.push(
			`a controller manager runs, ${since}: its leader lease kube-system/kube-controller-manager cannot be seen`,
		);
	}
	if (!evidence.observedNodes.hasSeenLease) {
		assumptions.push(
			'nodes are taken to be alive as long as their Ready condition says so: the leases of kube-node-lease cannot be read',
		);
	}
	if (passes.phase.begins.hi - passes.phase.begins.lo >= settings.nodeMonitorPeriod) {
		assumptions.push(
			'the next monitor pass may begin at any instant of its period: nothing seen so far shows its rhythm',
		);
	}
	return assumptions;
}

const decisive: ReadonlySet<string> = new Set([
	'node-monitor-period',
	'node-monitor-grace-period',
	'node-eviction-rate',
	'secondary-node-eviction-rate',
	'large-cluster-size-threshold',
	'unhealthy-zone-threshold',
	'kube-api-qps',
	'kube-api-burst',
]);

/** The settings that matter, grouped by their source. */
function settingWords({known}: Situation): string {
	const sourced = known.settings.filter(({name}) => decisive.has(name));
	return grouped(sourced, ({source}) => source.detail)
		.map(([source, ofSource]) => {
			const values = ofSource.map(({name, value, unit}) => flag(name, formatSettingValue(value, unit)));
			return `${values.join(', ')} (${source})`;
		})
		.join('; ');
}
