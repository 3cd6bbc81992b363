import {podKey} from '../../../core/model/pod.ts';
import type {Protection} from '../../../core/nodepressure/criticalPod.ts';
import {formatAmount, formatThresholdAmount} from '../../pressure/amount.ts';
import type {PressureEviction, PressureForecast} from '../../pressure/pressureForecast.ts';
import {isPressing} from '../../pressure/pressureWords.ts';
import type {ReasonDraft} from '../explanation.ts';

const protections: Readonly<Record<Protection, string>> = {
	static: 'it is a static pod',
	mirror: 'it is the mirror of a static pod',
	priority: 'its priority is that of the system’s own pods (2000000000 or more)',
};

/** What prevents, or may prevent, that a kubelet evicts a pod. */
export function pressureReasons(
	pressure: PressureForecast,
	key: string,
	eviction: PressureEviction | undefined,
): readonly ReasonDraft[] {
	const guarded = pressure.protectedPods.find(({pod}) => podKey(pod) === key);
	if (guarded) {
		return [
			{
				reason: 'ProtectedFromKubelet',
				effect: 'Prevents',
				what: `its kubelet never evicts it: ${protections[guarded.why]}`,
				rule: 'static pods and those of critical priority are ranked, but skipped',
			},
		];
	}
	if (eviction) return [];
	const pressing = pressure.signals.filter(({thresholds}) => thresholds.some(isPressing));
	if (pressing.length === 0) {
		const isSeen = pressure.observedAt !== null;
		return [
			{
				reason: isSeen ? 'NothingShort' : 'PressureUnseen',
				effect: isSeen ? 'Prevents' : 'MayPrevent',
				what: isSeen
					? `the kubelet’s statistics show no threshold crossed on node ${pressure.node}`
					: `the statistics of the kubelet of node ${pressure.node} are not seen, so it may evict the pod too`,
			},
		];
	}
	return [
		{
			reason: 'OthersFirst',
			effect: 'MayPrevent',
			what: `other pods are evicted before it when node ${pressure.node} runs short, and that may free enough`,
			rule: 'the kubelet evicts one pod in each pass, until no signal is below its threshold',
		},
	];
}

/** Containers that approach their own memory limit: a kill by the kernel is no eviction. */
export const oomReasons = ({oomKills}: PressureForecast, key: string): readonly ReasonDraft[] =>
	oomKills
		.filter(({pod}) => podKey(pod) === key)
		.map(({container, usage, limit, crossing}) => ({
			reason: 'ContainerLimit',
			effect: 'DoesNotPrevent',
			at: crossing.at ?? null,
			what: `container ${container} uses ${formatAmount(usage, 'memory.available')} of its own limit of ${formatThresholdAmount(limit, 'memory.available')}: beyond that the kernel kills it, and it starts again in place, which is no eviction`,
		}));
