import {type Protection, protectionOf} from '../../core/nodepressure/criticalPod.ts';
import type {NodePod} from '../../core/nodepressure/nodePod.ts';
import {int64Of, type Quantity} from '../../core/nodepressure/quantities/quantity.ts';
import {isTie, type RankedPod, rankPods} from '../../core/nodepressure/ranking.ts';
import {type Summary, statsByUid} from '../../core/nodepressure/summary.ts';
import type {FileSystems} from '../../core/nodepressure/thresholds/containerFsThresholds.ts';
import {resourceOf, type Signal} from '../../core/nodepressure/thresholds/signal.ts';
import {formatAmount, formatThresholdAmount} from './amount.ts';

/** Why a pod has its place in the order of eviction; earlier criteria outweigh later ones. */
type VictimStage = 'noStatistics' | 'overRequest' | 'withinRequest' | 'byProcesses';

/** A pod's place in the order in which a kubelet would evict for a signal. */
export type Victim = Readonly<{
	pod: NodePod;
	/** From 1; pods that tie share the first of their places. */
	place: number;
	/** How many pods share this place; if several, their order is random. */
	tied: number;
	/** Why it is skipped; null if it may be killed. */
	protection: Protection | null;
	stage: VictimStage;
	priority: number;
	/** Its usage of the resource that runs short; null if the kubelet has no statistics of it. */
	usage: bigint | null;
	request: Quantity | null;
	/** Usage less request, which decides last; negative within the request. */
	overuse: Quantity | null;
	because: string;
}>;

/** The order in which a kubelet evicts for a signal, by these statistics. */
export function victims(
	pods: readonly NodePod[],
	summary: Summary,
	signal: Signal,
	fileSystems: FileSystems,
): readonly Victim[] {
	const ranked = rankPods(pods, statsByUid(summary), signal, fileSystems);
	let [place, start] = [1, 0];
	return ranked.map((entry, index) => {
		const before = ranked[index - 1];
		if (!before || !isTie(before, entry, signal)) [place, start] = [index + 1, index];
		const tied = ranked.slice(start).findIndex((other) => !isTie(entry, other, signal));
		const {pod, priority, use} = entry;
		const stage = stageOf(entry, signal);
		return {
			pod,
			place,
			tied: tied === -1 ? ranked.length - start : tied,
			protection: protectionOf(pod) ?? null,
			stage,
			priority,
			usage: use?.usage ?? null,
			request: use?.request ?? null,
			overuse: use?.overuse ?? null,
			because: becauseOf(entry, stage, signal),
		};
	});
}

function stageOf({use}: RankedPod, signal: Signal): VictimStage {
	if (!use) return 'noStatistics';
	if (resourceOf(signal) === 'pids') return 'byProcesses';
	return use.exceeds ? 'overRequest' : 'withinRequest';
}

function becauseOf({use, priority}: RankedPod, stage: VictimStage, signal: Signal): string {
	const last = `then priority ${priority}`;
	if (!use || stage === 'noStatistics') {
		const rank = `its kubelet has no statistics of it, so it goes before those with any`;
		return resourceOf(signal) === 'pids' ? `priority ${priority} first; ${rank}` : `${rank}; ${last}`;
	}
	const usage = formatAmount(use.usage, signal);
	if (stage === 'byProcesses') return `priority ${priority} first, then its ${usage} processes`;
	const resource = resourceOf(signal);
	const request = formatThresholdAmount(use.request, signal);
	const held = stage === 'overRequest' ? 'over' : 'within';
	return `uses ${usage} of ${resource}, ${held} its request of ${request}; ${last}; then ${overuseWords(use.overuse, signal)}`;
}

function overuseWords(overuse: Quantity, signal: Signal): string {
	const value = int64Of(overuse);
	if (resourceOf(signal) === 'inodes') return `its inodes less the bytes that it requests, ${value}`;
	return value < 0n
		? `${formatAmount(-value, signal)} less than requested`
		: `${formatAmount(value, signal)} more than requested`;
}
