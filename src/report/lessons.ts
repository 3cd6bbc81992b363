import {type Duration, type Instant, second} from '../core/time/instant.ts';
import {formatDuration} from '../print/countdown.ts';
import type {Eviction, NodeStory, Outage} from './outage.ts';
import {clock, count, listed} from './words.ts';

/** One thing that would have changed what happened, worked out from what was seen; nothing is simulated. */
export type Lesson = {readonly title: string; readonly text: string};

/** What would have changed an outage: nodes that come back earlier, pods that tolerate more, steps that are shorter. */
export function lessonsOf(outage: Outage): readonly Lesson[] {
	const told = outage.evictions.map((eviction) => ({eviction, story: storyOf(eviction, outage.nodes)}));
	return [
		...deadlines(told),
		...tolerations(told, outage.to),
		...steps(told),
		...stuck(outage),
		...holds(outage),
	];
}

type Told = {readonly eviction: Eviction; readonly story: NodeStory | undefined};

/** The trouble of its node that a pod was deleted in: the last that had begun. */
export const storyOf = ({node, deletedAt}: Eviction, stories: readonly NodeStory[]): NodeStory | undefined =>
	stories.findLast(
		({name, taintedAt, unreadyAt}) =>
			name === node && (taintedAt ?? unreadyAt ?? Number.POSITIVE_INFINITY) <= deletedAt,
	);

const mostNodes = 6;

/** Until when each node would have had to be back for its pods to stay. */
function deadlines(told: readonly Told[]): readonly Lesson[] {
	const byNode = [...Map.groupBy(told, ({eviction}) => eviction.node)].map(([node, all]) => {
		const times = all.map(({eviction}) => eviction.deletedAt);
		return {node, pods: all.length, first: Math.min(...times), last: Math.max(...times)};
	});
	if (byNode.length === 0) return [];
	const shown = byNode.toSorted((a, b) => b.pods - a.pods).slice(0, mostNodes);
	const parts = shown.map(({node, pods, first, last}) =>
		pods === 1 || last - first < second
			? `${node} by ${clock(first)} (${count(pods, 'pod')})`
			: `${node} by ${clock(first)} for all of its ${pods} pods, by ${clock(last)} for the last of them`,
	);
	const rest = byNode.length - shown.length;
	return [
		{
			title: 'A node that is back in time keeps its pods',
			text:
				`A heartbeat before the countdown ends, and some 5 s for the controller to see it, would have been enough: ` +
				`${parts.join('; ')}${rest > 0 ? `; and ${rest} more nodes` : ''}.`,
		},
	];
}

/** How long pods would have had to tolerate the taint to see their nodes come back. */
function tolerations(told: readonly Told[], end: Instant): readonly Lesson[] {
	const timed = told.flatMap(({eviction, story}) => {
		const {taintedAt, backAt} = story ?? {};
		if (taintedAt === undefined || eviction.cause?.kind !== 'Taint') return [];
		const seconds = eviction.cause.tolerationSeconds ?? null;
		return [{seconds, needed: backAt === undefined ? undefined : backAt - taintedAt, away: end - taintedAt}];
	});
	const lost = timed.filter(({needed}) => needed === undefined);
	const kept = [...Map.groupBy(timed, ({seconds}) => seconds)]
		.toSorted(([a], [b]) => (a ?? -1) - (b ?? -1))
		.flatMap(([seconds, pods]) => {
			const needs = pods.flatMap(({needed}) => needed ?? []);
			return needs.length === 0 ? [] : [keptLesson(seconds, needs, pods.length)];
		});
	if (lost.length === 0) return kept;
	const away = formatDuration(Math.max(...lost.map((one) => one.away)));
	const who = lost.length === timed.length ? 'any of them' : `the other ${count(lost.length, 'pod')}`;
	const text = `The nodes were not back when the recording ends: no tolerationSeconds of less than ${away} would have kept ${who}.`;
	return [...kept, {title: kept.length === 0 ? 'A longer toleration' : 'Nodes that stayed away', text}];
}

function keptLesson(seconds: number | null, needs: readonly Duration[], all: number): Lesson {
	const enough = roundedUp(Math.max(...needs));
	const most = needs.length === all ? (all === 1 ? 'it' : `all ${all}`) : `${needs.length} of the ${all}`;
	const who = seconds === null ? 'did not tolerate the taint' : `tolerated it for ${seconds} s`;
	return {
		title: seconds === null ? 'Pods without a toleration' : `Pods with tolerationSeconds of ${seconds}`,
		text:
			`${count(all, 'pod')} ${who}, and went. With ${enough} s or more, ${most} would have stayed: ` +
			`${needs.length === 1 ? 'the node was' : 'the nodes were'} back by then.`,
	};
}

/** To the next ten seconds, and five more for the pass of the controller that takes the taint off. */
const roundedUp = (needed: Duration): number => Math.ceil((needed / second + 5) / 10) * 10;

/** What of the time between the last heartbeat and the deletion went where. */
function steps(told: readonly Told[]): readonly Lesson[] {
	const whole = told.flatMap(({eviction, story}) => {
		const {lastRenewal, unreadyAt, taintedAt, status} = story ?? {};
		if (
			status !== 'Unknown' ||
			lastRenewal === undefined ||
			unreadyAt === undefined ||
			taintedAt === undefined
		)
			return [];
		const {deletedAt} = eviction;
		return [
			{
				found: unreadyAt - lastRenewal,
				queued: taintedAt - unreadyAt,
				counted: deletedAt - taintedAt,
				all: deletedAt - lastRenewal,
			},
		];
	});
	if (whole.length === 0) return [];
	const median = (values: readonly Duration[]) =>
		values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
	const [found, queued, counted] = [
		median(whole.map((one) => one.found)),
		median(whole.map((one) => one.queued)),
		median(whole.map((one) => one.counted)),
	];
	const [fastest, slowest] = [Math.min(...whole.map(({all}) => all)), Math.max(...whole.map(({all}) => all))];
	const span =
		formatDuration(fastest) === formatDuration(slowest)
			? formatDuration(fastest)
			: `${formatDuration(fastest)} to ${formatDuration(slowest)}`;
	return [
		{
			title: 'Where the time went',
			text:
				`From the last heartbeat to a deletion it took ${span}. In the middle: ${formatDuration(found)} until the node was found silent ` +
				`(node-monitor-grace-period and the next pass), ${formatDuration(queued)} until its taint came ` +
				`(node-eviction-rate), ${formatDuration(counted)} that the pod tolerated it.`,
		},
	];
}

/** Pods that hang, as nobody is there to end them. */
function stuck({evictions, to}: Outage): readonly Lesson[] {
	const hanging = evictions.filter(({goneAt}) => goneAt === undefined);
	if (hanging.length === 0) return [];
	const blocked = hanging.filter(({workload}) => workload.kind === 'StatefulSet');
	const names = [...new Set(blocked.map(({namespace, workload}) => `${namespace}/${workload.name}`))];
	return [
		{
			title: 'Deleted, but not gone',
			text:
				`${count(hanging.length, 'pod')} still stood Terminating at ${clock(to)}: only a kubelet ends a pod. ` +
				(names.length > 0
					? `${listed(names)} ${names.length === 1 ? 'gets' : 'get'} no replacement until then. `
					: '') +
				'Where a machine is known to be off, the taint node.kubernetes.io/out-of-service, or deleting its Node, releases them.',
		},
	];
}

function holds({held}: Outage): readonly Lesson[] {
	return held.map(({by, pods, releasedBy, from, to}) => ({
		title: 'Held evictions',
		text:
			`From ${clock(from)} ${to === undefined ? 'to the end' : `to ${clock(to)}`}, up to ${count(pods, 'pod')} would have gone but for this: ${by}. ` +
			`What releases it: ${releasedBy}.`,
	}));
}
