import {unique} from '../../core/collections/unique.ts';
import {podKey} from '../../core/model/pod.ts';
import {kindAndName} from '../../core/model/workloads/workload.ts';
import {type Instant, second} from '../../core/time/instant.ts';
import {formatDuration} from '../../dates/duration.ts';
import type {Forecast} from '../../forecast/forecast.ts';
import {count, joined, linked, someOf} from '../../forecast/words.ts';
import type {Drain, DrainBlock, DrainedNode, DrainedPod} from '../../impact/drain.ts';
import {type Connection, pasted, shellWord} from '../../text/pasted.ts';
import {AnswerPage} from '../answerPage.ts';
import type {DrainJson} from '../contract/whatIf.ts';
import {headJson} from '../json/json.ts';
import {fieldsOf, secondsJson} from '../json/jsonOf.ts';
import {outcomeWord} from '../legend.ts';
import type {Column} from '../tables/kind.ts';
import {Table, type TableOptions} from '../tables/table.ts';
import {belowBudgetNames, zeroNames} from '../workloads.ts';

/** A way to go on, with the command for it if there is one. */
type Unblock = {readonly text: string; readonly command?: string};

const columns: readonly Column<DrainedPod & {readonly node: string}>[] = [
	{title: 'NAMESPACE', cell: ({namespace}) => namespace},
	{title: 'NAME', cell: ({name}) => name},
	{title: 'NODE', drop: 2, cell: ({node}) => node},
	{title: 'EVICTION', cell: ({eviction}) => eviction},
	{title: 'NEEDS', drop: 1, cell: ({needs}) => needs.join(',') || '-'},
	{title: 'BUDGET', drop: 3, cell: ({budgets}) => budgets.join(',') || '-'},
	{title: 'GRACE', drop: 5, cell: ({graceSeconds}) => formatDuration(graceSeconds * second)},
	{title: 'THEN', drop: 4, cell: ({after}) => outcomeWord(after) ?? '-'},
];

/** What a drain does: for each node what goes, what waits, what never ends and how to go on; then each pod. */
export function formatDrain(
	{nodes, toZero, belowBudget}: Drain,
	now: Instant,
	options: TableOptions,
): string {
	const page = new AnswerPage(now, options);
	const names = nodes.map(({node}) => node);
	const [are, order] =
		names.length === 1 ? ['is', ''] : ['are', ', one after the other; all are cordoned first'];
	const ways = nodes.flatMap(waysOf);
	const rows = nodes.flatMap(({node, pods}) => pods.map((pod) => ({...pod, node})));
	return linked(
		'\n',
		page.simulated +
			page.wrap(
				`If ${names.length === 1 ? 'node' : 'nodes'} ${joined(names, 'and')} ${are} drained now (kubectl drain ${names.map(shellWord).join(' ')} --ignore-daemonsets)${order}:`,
			),
		...nodes.map((one, index) => {
			const endless = nodes.slice(0, index).find(({verdict}) => verdict === 'Never');
			return (names.length === 1 ? '' : `${one.node}\n`) + nodeText(one, page, endless?.node);
		}),
		page.labelled('Reach zero', toZero.length > 0 ? zeroNames(toZero, now) : 'no workload') +
			(belowBudget.length > 0 ? page.labelled('Below budget', belowBudgetNames(belowBudget, now)) : ''),
		ways.length > 0 ? `To go on:\n${ways.map((way) => wayText(way, page)).join('')}` : '',
		new Table({columns}, options).rows(rows, now),
	);
}

const wayText = ({text, command}: Unblock, page: AnswerPage) =>
	page.item(`${text}${command === undefined ? '.' : ':'}`) +
	(command === undefined ? '' : page.command(command, '      '));

const namesOf = (pods: readonly DrainedPod[]) => someOf(pods.map(podKey), 8);
const flagsOf = (pods: readonly DrainedPod[]) => unique(pods.flatMap(({needs}) => needs)).toSorted();

/** @param endless a node before it that never ends */
function nodeText(node: DrainedNode, page: AnswerPage, endless: string | undefined): string {
	const {pods, blocks} = node;
	const of = (eviction: DrainedPod['eviction']) => pods.filter((pod) => pod.eviction === eviction);
	const lines = (title: string, ...texts: readonly string[]) => {
		const told = texts.filter(Boolean);
		return told.length > 0 ? page.labelled(title, ...told) : '';
	};
	const named = (some: readonly DrainedPod[], rest = '') =>
		some.length > 0 ? `${count(some.length, 'pod')}${rest}: ${namesOf(some)}` : '';
	const needy = flagsOf(pods).map((flag) =>
		named(
			pods.filter(({needs}) => needs.includes(flag)),
			` without ${flag}`,
		),
	);
	const landless = pods.filter(({after}) => outcomeWord(after) === 'Pending');
	const lost = pods.filter(({after}) => after?.outcome === 'Lost');
	const staying = pods.filter(({stays}) => stays !== null);
	return (
		lines(
			'Refused',
			...needy,
			needy.length > 0 ? 'kubectl evicts none of the node until then; what follows is with these flags' : '',
		) +
		page.labelled('At once', named(of('AtOnce')) || 'no pod') +
		lines('Waits', ...blocks.map(blockText)) +
		lines('Fails', named(of('Error'), ' (the Eviction API refuses pods of several budgets)')) +
		lines('Ignored', named(of('Ignored'))) +
		lines(
			'No new pod',
			named(landless, ' whose replacement finds no node'),
			named(lost, ' that nothing makes again'),
		) +
		lines(
			'Stay',
			...unique(staying.map(({stays}) => stays ?? '')).map((until) =>
				named(
					staying.filter(({stays}) => stays === until),
					` Terminating ${until}`,
				),
			),
		) +
		page.labelled(
			'Ends',
			endless === undefined ? endWords(node) : `not begun: ${endless} comes first, and never ends`,
		)
	);
}

function endWords(drained: DrainedNode): string {
	const {node, blocks, takes} = drained;
	const duration = formatDuration(takes);
	switch (drained.verdict) {
		case 'Unsure':
			return `if ${node} renews its lease, which is overdue, ${endWords({...drained, verdict: blocks.length > 0 ? 'Waits' : 'Ends'})}; never if it stays silent`;
		case 'Never':
			return 'never, unless somebody acts';
		case 'Fails':
			return 'with an error';
		case 'Waits':
			return `not before ${duration}: when replacements are ready is not known`;
		case 'Ends':
			return takes === 0 ? 'at once' : `within about ${duration}, the longest grace period`;
	}
}

const reasons: Readonly<Record<DrainBlock['reason'], (block: DrainBlock) => string>> = {
	Strict: ({desiredHealthy, expectedPods}) =>
		`it wants ${desiredHealthy} of ${expectedPods} healthy, and never allows any`,
	Unreplaced: () => 'those that go get no replacement that could be ready',
	Unhealthy: ({currentHealthy, expectedPods, isForever}) =>
		`only ${currentHealthy} of ${expectedPods} are healthy now${isForever ? ', and the others stay as they are' : ''}`,
	Replacements: () => 'each other once a replacement is ready',
};

function blockText(block: DrainBlock): string {
	const {isForever, atOnce, pods, reason, hasUnready, desiredHealthy} = block;
	const least = hasUnready && desiredHealthy === 0 ? 'at least ' : '';
	return `${isForever ? 'for ever: ' : ''}budget ${podKey(block)} lets ${least}${atOnce} of ${count(pods, 'pod')} go at once; ${reasons[reason](block)}`;
}

/** How to go on where a drain is refused, fails, or waits. */
function waysOf({node, pods, blocks}: DrainedNode): readonly Unblock[] {
	const drain = `kubectl drain ${shellWord(node)} --ignore-daemonsets`;
	const flags = flagsOf(pods);
	const staying = pods.some(({stays}) => stays !== null);
	return [
		...(flags.length > 0
			? [
					{
						text: `${node}: let the data of emptyDir volumes, or pods without a controller, go for good`,
						command: `${drain} ${flags.join(' ')}`,
					},
				]
			: []),
		...blocks.flatMap(unblocksOf),
		...pods
			.filter(({eviction}) => eviction === 'Error')
			.map((pod) => ({
				text: `leave ${podKey(pod)} one of its budgets ${joined(pod.budgets, 'and')}`,
				command: `kubectl delete pdb ${shellWord(pod.budgets.at(-1) ?? '')} -n ${shellWord(pod.namespace)}`,
			})),
		...(staying
			? [
					{
						text: `${node}: see what ends the pods that stay`,
						command: `kubectl evictwatch rescue node/${shellWord(node)}`,
					},
					{
						text: `${node}: let kubectl not wait for them`,
						command: `${drain} --skip-wait-for-delete-timeout=60`,
					},
				]
			: []),
	];
}

/** How to go on where a budget blocks a drain. */
function unblocksOf(block: DrainBlock): readonly Unblock[] {
	const {reason, workload, isOfMissing, hasUnready, expectedPods, desiredHealthy, pods, atOnce} = block;
	const {namespace, name, isForever} = block;
	const patch = (spec: object) =>
		`kubectl patch pdb ${shellWord(name)} -n ${shellWord(namespace)} --type=merge -p '${JSON.stringify({spec})}'`;
	if (reason === 'Replacements') return [];
	if (reason === 'Unhealthy')
		return hasUnready
			? [
					{
						text: `let pods of ${podKey(block)} that are not ready go in any case`,
						command: patch({unhealthyPodEvictionPolicy: 'AlwaysAllow'}),
					},
				]
			: [
					isForever
						? {
								text: `see what brings pods of ${kindAndName(workload)} back`,
								command: `kubectl evictwatch rescue ${shellWord(kindAndName(workload))} -n ${shellWord(namespace)}`,
							}
						: {
								text: `wait until the pods of ${kindAndName(workload)} are ready`,
								command: `kubectl get pods -n ${shellWord(namespace)}`,
							},
				];
	const more = reason === 'Strict' ? 1 : pods - atOnce;
	const wanted = Math.max(0, Math.min(desiredHealthy, expectedPods) - more);
	const restart =
		reason === 'Strict' && workload.kind === 'Deployment'
			? [
					{
						text: `let ${kindAndName(workload)} make new pods elsewhere first, once the node is cordoned`,
						command: `kubectl rollout restart ${shellWord(kindAndName(workload))} -n ${shellWord(namespace)}`,
					},
				]
			: [];
	return [
		...restart,
		{
			text: `let budget ${podKey(block)} allow it`,
			command: patch(
				isOfMissing ? {maxUnavailable: Math.max(0, expectedPods - wanted)} : {minAvailable: wanted},
			),
		},
	];
}

export const drainJson = (
	{nodes, toZero, belowBudget}: Drain,
	forecast: Forecast,
	connection: Connection,
): DrainJson => ({
	...headJson('Drain', forecast),
	nodes: nodes.map((node) => ({
		...fieldsOf(node, 'node', 'verdict', 'blocks'),
		takesSeconds: secondsJson(node.takes),
		refusedWithout: flagsOf(node.pods),
		pods: node.pods.map(({namespace, name, uid, ...pod}) => ({metadata: {namespace, name, uid}, ...pod})),
		ways: waysOf(node).map(({text, command}) => ({
			text,
			...(command !== undefined && {command: pasted(command, connection)}),
		})),
	})),
	toZero,
	belowBudget,
});
