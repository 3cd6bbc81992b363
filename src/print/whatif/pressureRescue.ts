import {workloadOf} from '../../core/model/workloads/workload.ts';
import type {Instant} from '../../core/time/instant.ts';
import {inTimeZone, timeAlone} from '../../dates/format.ts';
import type {TimeZone} from '../../dates/timeZone.ts';
import type {PodForecast} from '../../forecast/podForecast.ts';
import type {PressureForecast} from '../../forecast/pressure/pressureForecast.ts';
import {untilWords} from '../../forecast/pressure/pressureWords.ts';
import {type Connection, pasted, shellWord} from '../../text/pasted.ts';
import {formatDuration} from '../countdown.ts';
import {labelled} from '../labelled.ts';
import type {RescueWay} from './rescueWay.ts';

/** Until when a pod can be saved from its kubelet: a time, or what decides it. */
export function pressureUntil(
	{eviction}: PodForecast,
	pressure: PressureForecast | undefined,
	now: Instant,
	zone: TimeZone,
): string {
	if (!eviction) return '';
	const until = eviction.latest === null && pressure ? untilWords(pressure, now) : '';
	const at =
		eviction.earliest <= now
			? 'any moment from now on'
			: `${timeAlone(eviction.earliest, now, zone)} (in ${formatDuration(eviction.earliest - now)})`;
	return labelled('Until', until === '' ? at : `its kubelet evicts it, ${inTimeZone(until, now, zone)}`);
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

/** That kubelets may evict all the same, and how to see whom; none where no node is under pressure. */
export function pressedTexts(nodes: readonly string[], connection: Connection): readonly string[] {
	const [first] = nodes;
	if (first === undefined) return [];
	const [are, whose] =
		nodes.length === 1
			? [`Node ${first} is`, 'its kubelet']
			: [`Nodes ${nodes.join(', ')} are`, 'their kubelets'];
	const command = pasted(`kubectl evictwatch pressure ${shellWord(first)} -w`, connection);
	return [`${are} under pressure: ${whose} may evict pods. To see which, and when: ${command}\n`];
}
