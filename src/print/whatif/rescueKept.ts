import type {Pod} from '../../core/model/pod.ts';
import {workloadOf} from '../../core/model/workloads/workload.ts';
import type {Instant} from '../../core/time/instant.ts';
import {inTimeZone} from '../../dates/format.ts';
import type {TimeZone} from '../../dates/timeZone.ts';
import type {PodForecast} from '../../forecast/podForecast.ts';
import {tolerating} from '../../forecast/whatif/remedy.ts';
import {count, someOf} from '../../forecast/words.ts';
import {type Connection, pasted} from '../../text/pasted.ts';
import {shellWord} from '../../text/shellWord.ts';
import {stuckWords} from '../statusCauses.ts';
import {wrap} from '../wrap.ts';
import {rescueCommand} from './rescueCommand.ts';

/** A pod that was asked for and is not about to be evicted; without its object where that is not read. */
export type KeptPod = {readonly forecast: PodForecast; readonly pod: Pod | undefined};

const mostShown = 3;

/** When and where an answer is read, what reaches the cluster that was asked, and what stands below in it. */
type ShownIn = {
	readonly now: Instant;
	readonly zone: TimeZone;
	readonly connection: Connection;
	/** Whether pods are evicted once a node is back, as evictions resume then. */
	readonly areReleasedByNodes: boolean;
};

/**
 * Of pods that were asked for and need no rescue, why; of those that are held, what keeps them when evictions resume.
 *
 * @param areOthersGoing those that need no rescue are not told beside pods that do
 */
export function keptTexts(
	kept: readonly KeptPod[],
	areOthersGoing: boolean,
	shown: ShownIn,
): readonly string[] {
	const {now, zone, connection} = shown;
	const isHeld = ({forecast}: KeptPod) => forecast.verdict === 'Held';
	const isCalm = ({forecast: {verdict}}: KeptPod) => verdict !== 'Held' && verdict !== 'Terminating';
	const calm = areOthersGoing ? [] : kept.filter(isCalm);
	const reasons = Map.groupBy(calm, ({forecast}) => inTimeZone(reasonOf(forecast), now, zone));
	const groups = Map.groupBy(kept.filter(isHeld), ({forecast}) => {
		const {kind, name} = workloadOf(forecast);
		return `${forecast.namespace}/${kind}/${name}`;
	});
	const [first] = groups.values();
	return [
		...[...reasons].map(([reason, ones]) => `${namesOf(ones)}: no rescue needed: ${reason}.\n`),
		...(first ? [groups.size === 1 ? heldWays(first, shown) : heldHint(first, connection)] : []),
	];
}

function heldHint([first]: readonly KeptPod[], connection: Connection): string {
	if (!first) return '';
	const {name, namespace} = first.forecast;
	const command = `kubectl evictwatch rescue ${shellWord(name)} -n ${shellWord(namespace)}`;
	return `What keeps a held pod when evictions resume: ${pasted(command, connection)}\n`;
}

const namesOf = (ones: readonly KeptPod[]): string =>
	someOf(
		ones.map(({forecast: {namespace, name}}) => `pod/${name} in namespace ${namespace}`),
		mostShown,
	);

/** Why nothing evicts a pod. */
const reasonOf = ({because: [first], node}: PodForecast): string =>
	first ?? (node === '' ? 'it is not bound to a node' : `node ${node} is ready, and no taint evicts it`);

/** What keeps held pods of one workload. Both take effect before the taint, so that no simulation is needed. */
function heldWays(ones: readonly KeptPod[], {now, connection, areReleasedByNodes}: ShownIn): string {
	const shown = ones.slice(0, mostShown);
	const nodes = [...new Set(shown.map(({forecast}) => forecast.node))];
	const patches = shown.flatMap(({pod}) => {
		if (!pod) return [];
		const change = {
			type: 'tolerations',
			pod: pod.name,
			tolerations: tolerating(pod, undefined),
			at: now,
		} as const;
		const remedy = {kind: 'Tolerate', until: undefined, effect: 'Saves', eviction: null, change} as const;
		return [pasted(rescueCommand(remedy, pod), connection)];
	});
	const more = ones.length > shown.length ? `    and the same for ${ones.length - shown.length} more\n` : '';
	return [
		`${namesOf(shown)}${more === '' ? '' : ` and ${ones.length - shown.length} more`}: held, not evicted now. To keep ${ones.length === 1 ? 'it' : 'them'}, do one of these before evictions resume:\n`,
		'  * bring the node back (its kubelet must renew again)\n',
		areReleasedByNodes ? '    Other pods are evicted then, as evictions resume: see below.\n' : '',
		...nodes.map((node) => `      (on node ${node}) systemctl restart kubelet\n`),
		...(patches.length > 0 ? ['  * let the pod tolerate the taint forever\n'] : []),
		...patches.map((command) => `      ${command}\n`),
		more,
	].join('');
}

/** Which pods remain Terminating, and what ends that; empty where none do. */
export function stuckText(stuck: readonly PodForecast[], connection: Connection): string {
	if (stuck.length === 0) return '';
	const nodes = [...new Set(stuck.map(({node}) => node))];
	const names = someOf(
		stuck.map(({namespace, name}) => `${namespace}/${name}`),
		mostShown,
	);
	const outOfService = nodes.slice(0, mostShown).map((node) => {
		const taint = shellWord('node.kubernetes.io/out-of-service=nodeshutdown:NoExecute');
		return `      ${pasted(`kubectl taint node ${shellWord(node)} ${taint}`, connection)}\n`;
	});
	return [
		wrap(`Stuck: ${count(stuck.length, 'pod')} Terminating (${names}): ${stuckWords}.`, ''),
		'  * bring the node back\n',
		...nodes.slice(0, mostShown).map((node) => `      (on node ${node}) systemctl restart kubelet\n`),
		'  * DESTRUCTIVE: only if the machine is surely off: delete all its pods by force, and detach its volumes\n',
		...outOfService,
		...(nodes.length > mostShown
			? [`  and the same for ${someOf(nodes.slice(mostShown), mostShown)}\n`]
			: []),
	].join('');
}
