import {nodeCondition} from '../core/model/node.ts';
import {formatTaint} from '../core/model/taint.ts';
import {zoneKey, zoneLabel} from '../core/model/zone.ts';
import {noExecuteTaints} from '../core/tainteviction/taintEvictionController.ts';
import {type Duration, type Instant, second} from '../core/time/instant.ts';
import type {NodeEvidence} from './nodeEvidence.ts';
import type {PodTimer, Toleration} from './podTimers.ts';
import type {Judgement} from './podVerdict.ts';
import type {Situation} from './situation.ts';
import {isSilent} from './suspects.ts';

/** Why a pod has the verdict it has, one sentence a step: from the node's last sign of life to the deletion. */
export function reasonsFor(
	one: NodeEvidence,
	toleration: Toleration,
	timer: PodTimer | undefined,
	judgement: Judgement,
	situation: Situation,
): readonly string[] {
	if (judgement.verdict === 'Terminating') {
		const detail = isSilent(one, situation.now)
			? ', and its kubelet is silent: it stays so until the node is back or gone'
			: '';
		return [`its deletion was asked for already${detail}`];
	}
	return [
		...nodeSteps(one, situation),
		...tolerationSteps(toleration),
		...timerSteps(timer),
		...(judgement.held ? [`held: ${judgement.held.by}; released when ${judgement.held.releasedBy}`] : []),
		...(judgement.verdict === 'Overdue'
			? [
					'its time is over without a deletion: a webhook may have denied it, or the controller lost it after five tries',
				]
			: []),
		...(judgement.verdict === 'Unsure'
			? ['not every state of the controllers that agrees with what is seen leads to it']
			: []),
	];
}

function nodeSteps(one: NodeEvidence, {settings, now, ensemble}: Situation): readonly string[] {
	const {node, renewTime} = one;
	const ready = nodeCondition(node, 'Ready');
	const steps =
		renewTime === undefined ? [] : [`node ${node.name} renewed its lease last at ${clock(renewTime)}`];
	if (ready?.status === 'True' && isSilent(one, now)) {
		steps.push(
			`silent for ${ago(now - renewTimeOf(one))}: it turns Unknown in the first monitor pass more than ${ago(settings.nodeMonitorGracePeriod)} (node-monitor-grace-period) after the pass that saw that renewal; passes come every ${ago(settings.nodeMonitorPeriod)} (node-monitor-period), known from ${ensemble.phase.source}`,
		);
	} else if (ready && ready.status !== 'True') {
		steps.push(`Ready is ${ready.status} since ${clock(ready.lastTransitionTime)}`);
	}
	const taints = noExecuteTaints(node);
	for (const taint of taints) {
		const when = taint.timeAdded === undefined ? '' : ` since ${clock(taint.timeAdded)}`;
		steps.push(`node ${node.name} carries ${formatTaint(taint)}${when}`);
	}
	if (taints.length === 0) {
		steps.push(
			`zone ${zoneLabel(zoneKey(node))} taints ${settings.nodeEvictionRate} nodes a second (node-eviction-rate) while it is normal; which of the waiting nodes is next is chance`,
		);
	}
	return steps;
}

const renewTimeOf = ({renewedAt, postedAt}: NodeEvidence): Instant => (renewedAt ?? postedAt)?.hi ?? 0;

function tolerationSteps(toleration: Toleration): readonly string[] {
	switch (toleration.type) {
		case 'none':
			return ['the node has no NoExecute taint, and gets none'];
		case 'forever':
			return ['it tolerates the taint for ever'];
		case 'limited':
			return toleration.tolerated === 0
				? [`it does not tolerate ${formatTaint(toleration.taint)}`]
				: [
						`it tolerates ${formatTaint(toleration.taint)} for ${ago(toleration.tolerated)} (tolerationSeconds)`,
					];
	}
}

function timerSteps(timer: PodTimer | undefined): readonly string[] {
	if (!timer) return [];
	const {lo, hi} = timer.started;
	const when = Number.isFinite(lo) ? `between ${clock(lo)} and ${clock(hi)}` : `before ${clock(hi)}`;
	return [`its countdown started ${when}: ${timer.source}`];
}

/** An instant as people say it: the time of day in UTC. */
export function clock(instant: Instant): string {
	const ofDay = ((Math.floor(instant / second) % 86_400) + 86_400) % 86_400;
	const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
	return `${two(ofDay / 3600)}:${two((ofDay / 60) % 60)}:${two(ofDay % 60)}Z`;
}

/** A length of time as people say it: in whole seconds. */
export const ago = (duration: Duration): string => `${Math.round(duration / second)}s`;
