import type {Instant} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {isWellNode, type NodeForecast, type NodeVerdict} from '../../src/forecast/nodeForecast.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {formatWhen} from '../../src/print/countdown.ts';
import {pods as podKind} from '../../src/print/tables/pods.ts';
import {escapeForCell} from '../../src/text/escape.ts';

/** The state of the cluster in one sentence: who is in trouble, and what follows. */
export function headline({nodes, pods}: Forecast, now: Instant): string {
	const short = nodes.filter(({pressure}) => pressure !== undefined);
	const troubled = nodes.filter((node) => !isWellNode(node));
	if (troubled.length === 0 && short.length > 0)
		return escapeForCell(`${whoIsShort(short)}; ${whatFollows(pods, now)}.`);
	if (troubled.length === 0) return `All ${nodes.length} nodes are well; no evictions expected.`;
	return escapeForCell(`${who(troubled)}; ${whatFollows(pods, now)}.`);
}

/** Whether a pod is about to go, or only held back. */
export const isComing = ({verdict, eviction}: PodForecast): boolean =>
	eviction !== null || verdict === 'Held';

const mostNames = 3;

function whoIsShort(nodes: readonly NodeForecast[]): string {
	const names = nodes.map(({name}) => name);
	const subject = names.length > mostNames ? `${names.length} nodes` : joined(names);
	const what = [...new Set(nodes.flatMap(({pressure}) => pressure?.conditions ?? []))];
	const of = what.map((name) => name.replace(/Pressure$/, '').toLowerCase()).join(' and ') || 'resources';
	return `${subject} ${names.length === 1 ? 'runs' : 'run'} short of ${of}`;
}

function who(nodes: readonly NodeForecast[]): string {
	const names = nodes.map(({name}) => name);
	const subject = names.length > mostNames ? `${names.length} nodes` : joined(names);
	const verb = names.length === 1 ? 'is' : 'are';
	const counts = [...Map.groupBy(nodes, ({verdict}) => verdict)];
	const [only] = counts;
	if (only && counts.length === 1) return `${subject} ${verb} ${words[only[0]]}`;
	const states = counts.map(([verdict, {length}]) => `${length} ${words[verdict]}`).join(', ');
	return `${subject} ${verb} in trouble (${states})`;
}

const joined = (names: readonly string[]): string =>
	names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? '');

const words: Readonly<Record<NodeVerdict, string>> = {
	Healthy: 'well',
	Late: 'late',
	Silent: 'silent',
	NotReady: 'not ready',
	Unknown: 'Unknown',
	Queued: 'queued for the taint',
	Held: 'held',
	Tainted: 'tainted',
	Evicted: 'evicted',
	Recovering: 'recovering',
};

function whatFollows(pods: readonly PodForecast[], now: Instant): string {
	const of = (verdict: PodForecast['verdict']) => pods.filter((pod) => pod.verdict === verdict);
	const due = [...of('Overdue'), ...of('Scheduled'), ...of('Expected')].toSorted(podKind.compare);
	const [unsure, held] = [of('Unsure').length, of('Held').length];
	const parts = [
		...(due.length > 0 ? [whoGoes(due, now)] : []),
		...(unsure > 0 ? [`${count(unsure)} might be evicted`] : []),
		...(held > 0 ? [`${count(held)} held`] : []),
	];
	return parts.join('; ') || 'no evictions expected';
}

function whoGoes(due: readonly PodForecast[], now: Instant): string {
	const [first] = due;
	if (!first?.eviction) return `${count(due.length)} will be evicted`;
	const when = formatWhen(first.eviction, now);
	const name = `${first.namespace}/${first.name}`;
	return due.length === 1
		? `${name} will be evicted ${when}`
		: `${count(due.length)} will be evicted, the first ${when}: ${name}`;
}

const count = (pods: number): string => (pods === 1 ? '1 pod' : `${pods} pods`);
