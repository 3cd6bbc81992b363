import {podKey} from '../../core/model/pod.ts';
import {workloadOf} from '../../core/model/workloads/workload.ts';
import type {Instant} from '../../core/time/instant.ts';
import {inTimeZone, timeAlone} from '../../dates/format.ts';
import type {TimeZone} from '../../dates/timeZone.ts';
import type {PodForecast} from '../../forecast/podForecast.ts';
import {evictionOf, type PressureForecast} from '../../forecast/pressure/pressureForecast.ts';
import {ifFallsWords, pressedOf, untilWords} from '../../forecast/pressure/pressureWords.ts';
import {type Connection, pasted, shellWord} from '../../text/pasted.ts';
import {formatDuration} from '../countdown.ts';
import {labelled} from '../labelled.ts';
import type {RescueWay} from './rescueWay.ts';

/** When its kubelet evicts a pod, until which it can be saved: a time, or what decides it. */
export function pressureUntil(
	pod: PodForecast,
	pressure: PressureForecast | undefined,
	now: Instant,
	zone: TimeZone,
): string {
	const {eviction} = pod;
	if (!eviction) return '';
	const own = pressure && evictionOf(pressure, podKey(pod));
	const until = own && pressure ? untilWords(own, pressure, now) : '';
	const at =
		eviction.earliest <= now
			? 'any moment from now on'
			: `${timeAlone(eviction.earliest, now, zone)} (in ${formatDuration(eviction.earliest - now)})`;
	return labelled('Evicted', until === '' ? at : inTimeZone(until, now, zone));
}

/** What helps against a kubelet that runs short; the deletion of its node would not. */
export function pressureWays(pod: PodForecast): readonly RescueWay[] {
	const {namespace, node} = pod;
	const {kind, name} = workloadOf(pod);
	const free = {
		what: 'free what its node runs short of; see what uses most of it',
		commands: [`kubectl evictwatch pressure ${shellWord(node)}`],
	};
	const cordon = `kubectl cordon ${shellWord(node)}`;
	if (kind !== 'Deployment' || pod.owner === undefined)
		return [free, {what: 'keep new pods, which take more of it, away from its node', commands: [cordon]}];
	// Another runs before the old one ends; a StatefulSet and a DaemonSet end the old one first.
	const restart = `kubectl rollout restart deployment ${shellWord(name)} -n ${shellWord(namespace)}`;
	return [
		{what: 'have its Deployment start new pods on other nodes first', commands: [cordon, restart]},
		free,
	];
}

/** That kubelets may evict all the same, whom first, and how to see when; none where no node is under pressure. */
export function pressedTexts(
	pressed: readonly PressureForecast[],
	connection: Connection,
): readonly string[] {
	return pressed.slice(0, mostShown).map((one) => {
		const falls = ifFallsWords(one);
		const who = falls === '' ? 'its kubelet may evict pods' : falls;
		const command = pasted(`kubectl evictwatch pressure ${shellWord(one.node)} -w`, connection);
		return `Node ${one.node} has ${pressedOf(one).join(' and ')}: ${who}. When, after 20s of: ${command}\n`;
	});
}

const mostShown = 3;
