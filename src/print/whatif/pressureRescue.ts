import {podKey} from '../../core/model/pod.ts';
import {workloadOf} from '../../core/model/workloads/workload.ts';
import type {Instant} from '../../core/time/instant.ts';
import {inTimeZone} from '../../dates/format.ts';
import type {TimeZone} from '../../dates/timeZone.ts';
import type {PodForecast} from '../../forecast/podForecast.ts';
import {formatAmount} from '../../forecast/pressure/amount.ts';
import {evictionOf, type PressureForecast} from '../../forecast/pressure/pressureForecast.ts';
import {ifFallsWords, pressedOf} from '../../forecast/pressure/pressureWords.ts';
import type {Relief} from '../../forecast/pressure/relief.ts';
import {type Connection, pasted, shellWord} from '../../text/pasted.ts';
import {formatWhenAt} from '../countdown.ts';
import {evictedWhenAt, trendWords} from '../pressure/pressureWords.ts';
import {labelled, wrap} from '../wrap.ts';
import type {RescueWay} from './rescueWay.ts';

/** When its kubelet evicts a pod, which is the deadline to save it, and what decides that. */
export function pressureUntil(
	pod: PodForecast,
	pressure: PressureForecast | undefined,
	now: Instant,
	zone: TimeZone,
): string {
	const {eviction} = pod;
	if (!eviction) return '';
	const own = pressure && evictionOf(pressure, podKey(pod));
	const when = own && pressure ? evictedWhenAt(own, pressure, now) : formatWhenAt(eviction, now);
	return labelled('Evicted', inTimeZone(when, now, zone));
}

/** A pod that its kubelet evicts or may evict. */
type PressedPod = {
	readonly forecast: PodForecast;
	readonly pressure?: PressureForecast | undefined;
	readonly relief?: Relief | undefined;
};

/**
 * What helps against a kubelet's eviction: ending other pods that free enough, or moving the pod to another node. Deleting
 * the node would not help, and a running pod's requests and priority cannot be changed.
 */
export function pressureWays(one: PressedPod): readonly RescueWay[] {
	const {relief} = one;
	const ofOthers = relief && relief.pods.length > 0 ? [reliefWay(relief)] : [];
	const own = moveWays(one);
	// A pod that is evicted first anyway loses nothing by ending earlier; others would be sacrificed for this pod.
	return relief?.isFirstAnyway ? [...ofOthers, ...own] : [...own, ...ofOthers];
}

function reliefWay({pods, signal, isFirstAnyway, isLoss}: Relief): RescueWay {
	const freed = pods.reduce((sum, {usage}) => sum + (usage ?? 0n), 0n);
	const names = pods.map(({pod}) => podKey(pod)).join(' and ');
	const anyway = isFirstAnyway
		? `; ${pods.length > 1 ? 'the first of them' : 'it'} is evicted first anyway`
		: ' on the trend so far';
	const danger = isLoss ? 'DESTRUCTIVE, as nothing starts it again: ' : '';
	const what = `${danger}delete ${names}: that frees ${formatAmount(freed, signal)}, which is enough${anyway}`;
	const commands = pods.map(
		({pod}) => `kubectl delete pod ${shellWord(pod.name)} -n ${shellWord(pod.namespace)}`,
	);
	return {what, commands};
}

/** How to move a pod to another node before its kubelet evicts it; empty if it would not be recreated elsewhere. */
function moveWays({forecast, pressure}: PressedPod): readonly RescueWay[] {
	const {namespace, name: pod, node, owner} = forecast;
	const {kind, name} = workloadOf(forecast);
	if (owner === undefined || kind === 'DaemonSet') return [];
	// The taint of the pressure condition keeps new pods away.
	const isTainted = pressure !== undefined && pressedOf(pressure).length > 0;
	const cordon = isTainted ? [] : [`kubectl cordon ${shellWord(node)}`];
	if (kind === 'Deployment') {
		const restart = `kubectl rollout restart deployment ${shellWord(name)} -n ${shellWord(namespace)}`;
		return [
			{what: 'have its Deployment start new pods on other nodes first', commands: [...cordon, restart]},
		];
	}
	const remove = `kubectl delete pod ${shellWord(pod)} -n ${shellWord(namespace)}`;
	return [
		{
			what: `end it yourself: it has its own time to end, and its ${kind} starts another, on another node`,
			commands: [...cordon, remove],
		},
	];
}

/** If no other pod is known to free enough: how much must be freed, how fast it is used up, and the largest users. */
export function noReliefText({relief, forecast}: PressedPod, connection: Connection): string {
	const command = pasted(`kubectl evictwatch pressure ${shellWord(forecast.node)}`, connection);
	if (!relief) return `What uses most of it: ${command}\n`;
	if (relief.pods.length > 0) return '';
	const {signal, needed, perSecond, users, isKnown} = relief;
	const least =
		needed > 0 ? ` at least ${formatAmount(needed, signal)} of ${signal} must be freed before that` : '';
	const falls =
		perSecond !== null && perSecond < 0 ? `${signal} changes by ${trendWords(perSecond, signal)}` : '';
	const needs = [least, falls].filter((text) => text !== '').join(', and ');
	const key = podKey(forecast);
	const most = users.map(({pod, usage}) => {
		const name = podKey(pod) === key ? 'the pod itself' : podKey(pod);
		return `${name} (${usage === null ? 'not measured' : formatAmount(usage, signal)})`;
	});
	const what = isKnown
		? 'No other pod frees enough for it to stay'
		: 'Without a trend, no other pod is known to free enough for it to stay';
	return [
		wrap(`${what}${needs === '' ? '' : `: ${needs.trim()}`}. Most is used by ${most.join(', ')}.`, ''),
		`All that use it: ${command}${isKnown ? '' : ' -w'}\n`,
	].join('');
}

/** Kubelets that may still evict, the first pod, and the command to watch it; empty if no node is under pressure. */
export function pressedTexts(
	pressed: readonly PressureForecast[],
	connection: Connection,
): readonly string[] {
	return pressed.slice(0, mostShown).map((one) => {
		const falls = ifFallsWords(one);
		const who = falls === '' ? 'its kubelet may evict pods' : falls;
		const command = pasted(`kubectl evictwatch pressure ${shellWord(one.node)} -w`, connection);
		return `${wrap(`Node ${one.node} has ${pressedOf(one).join(' and ')}: ${who}. When, after 20s of:`, '')}  ${command}\n`;
	});
}

const mostShown = 3;
