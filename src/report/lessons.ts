import {podKey} from '../core/model/pod.ts';
import {type Instant, median, second} from '../core/time/instant.ts';
import {formatDuration} from '../dates/duration.ts';
import {inTimeZone} from '../dates/format.ts';
import {utc} from '../dates/timeZone.ts';
import {count} from '../forecast/words.ts';
import {type SavedByToleration, savedByToleration, storyOf} from './evictionStory.ts';
import type {Eviction, NodeStory, Outage, ReportTrial} from './outage.ts';
import {stillTerminating} from './summary.ts';
import {mostNodes} from './trials.ts';
import {clock, listed} from './words.ts';

/** A change that would have altered the outcome. */
type Lesson = {
	readonly title: string;
	readonly text: string;
	/** Whether the controllers were simulated; otherwise it is calculated from observed times. */
	readonly simulated: boolean;
};

/** What would have changed an outage: an earlier return of nodes, longer tolerations, shorter steps. */
export function lessonsOf(outage: Outage): readonly Lesson[] {
	const withStories = outage.evictions.map((eviction) => ({
		eviction,
		story: storyOf(eviction, outage.nodes),
	}));
	return [
		...deadlines(withStories, outage),
		...tolerations(withStories, outage),
		...steps(withStories),
		...stuck(outage),
		...holds(outage),
	];
}

/** The basis of an outage's lessons, as the end of a sentence. */
export const lessonsSource = ({trials}: Outage): string =>
	trials.length === 0
		? 'calculated from what was seen, not simulated'
		: "calculated from what was seen; by when nodes had to recover, and which tolerations were enough, was simulated by the controllers' rules from what was known shortly before and after the taints";

type EvictionStory = {readonly eviction: Eviction; readonly story: NodeStory | undefined};

/** The latest return of each node that would have kept its pods. */
function deadlines(withStories: readonly EvictionStory[], outage: Outage): readonly Lesson[] {
	const {trials} = outage;
	const byNode = [...Map.groupBy(withStories, ({eviction}) => eviction.node)].map(([node, all]) => {
		const inOrder = all.map(({eviction}) => eviction).toSorted((a, b) => a.deletedAt - b.deletedAt);
		return {node, pods: all.length, times: [inOrder[0], inOrder.at(-1)].map((one) => returnFor(one, trials))};
	});
	if (byNode.length === 0) return [];
	const shown = byNode.toSorted((a, b) => b.pods - a.pods).slice(0, mostNodes);
	const parts = shown.map(({node, pods, times: [first = 0, last = first]}) =>
		pods === 1 || last - first < second
			? `${node} by ${clock(first, outage)} (${count(pods, 'pod')})`
			: `${node} by ${clock(first, outage)} for all of its ${pods} pods, by ${clock(last, outage)} for the last of them`,
	);
	const rest = byNode.length - shown.length;
	const simulated = trials.some(({until}) => until !== undefined);
	const how = simulated
		? 'A heartbeat that the controller sees before the countdown ends would have saved them: '
		: 'A heartbeat some 5 s before the countdown ends, so that the controller sees it, would have saved them: ';
	return [
		{
			title: 'A node that recovers in time keeps its pods',
			text: `${how}${parts.join('; ')}${rest > 0 ? `; and ${rest} more nodes` : ''}.`,
			simulated,
		},
	];
}

/** The latest return that keeps a pod: as simulated, or else the time of its deletion. */
const returnFor = (eviction: Eviction | undefined, trials: readonly ReportTrial[]): Instant =>
	trials.find(({question}) => question.kind === 'return' && eviction && question.pod === podKey(eviction))
		?.until ??
	eviction?.deletedAt ??
	0;

/** How long pods would have had to tolerate the taint to outlast the outage of their nodes. */
function tolerations(withStories: readonly EvictionStory[], outage: Outage): readonly Lesson[] {
	const kept = savedByToleration(outage).map((group) => keptLesson(group, outage.trials));
	const timed = withStories.filter(
		({eviction, story}) => story?.taintedAt !== undefined && eviction.cause?.kind === 'Taint',
	);
	const lost = timed.flatMap(({story: {taintedAt, backAt} = {}}) =>
		taintedAt === undefined || backAt !== undefined ? [] : [outage.to - taintedAt],
	);
	if (lost.length === 0) return kept;
	const away = formatDuration(Math.max(...lost));
	const who = lost.length === timed.length ? 'any of them' : `the other ${count(lost.length, 'pod')}`;
	const text = `The nodes were not back when the recording ended: no tolerationSeconds below ${away} would have saved ${who}.`;
	const title = kept.length === 0 ? 'A longer toleration' : 'Nodes that stayed away';
	return [...kept, {title, text, simulated: false}];
}

function keptLesson(
	{seconds, all, kept, enough, sample}: SavedByToleration,
	trials: readonly ReportTrial[],
): Lesson {
	const most = kept === all ? (all === 1 ? 'it' : `all ${all}`) : `${kept} of the ${all}`;
	const who = seconds === null ? 'did not tolerate the taint' : `tolerated it for ${seconds} s`;
	const isTried = ({question}: ReportTrial) =>
		question.kind === 'toleration' && question.pod === podKey(sample);
	const tried = trials.find(isTried)?.seconds;
	return {
		title: seconds === null ? 'Pods without a toleration' : `Pods with tolerationSeconds of ${seconds}`,
		text:
			`${count(all, 'pod')} ${who}, and ${all === 1 ? 'was' : 'were'} evicted. With ${tried ?? enough} s or more, ${most} would have stayed: ` +
			`${kept === 1 ? 'the node was' : 'the nodes were'} back by then.`,
		simulated: tried !== undefined,
	};
}

/** How the time between the last heartbeat and the deletion divides into steps. */
function steps(withStories: readonly EvictionStory[]): readonly Lesson[] {
	const whole = withStories.flatMap(({eviction, story}) => {
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
	const usual = (part: 'found' | 'queued' | 'counted') =>
		formatDuration(median(whole.map((one) => one[part])) ?? 0);
	const [fastest, slowest] = [Math.min(...whole.map(({all}) => all)), Math.max(...whole.map(({all}) => all))];
	const span =
		formatDuration(fastest) === formatDuration(slowest)
			? formatDuration(fastest)
			: `${formatDuration(fastest)} to ${formatDuration(slowest)}`;
	return [
		{
			title: 'Where the time went',
			text:
				`From the last heartbeat to a deletion it took ${span}. Median times: ${usual('found')} until the node was found silent ` +
				`(node-monitor-grace-period and the next pass), ${usual('queued')} until its taint came ` +
				`(node-eviction-rate), ${usual('counted')} tolerated by the pod.`,
			simulated: false,
		},
	];
}

/** Pods that stay Terminating because nothing ends them. */
function stuck(outage: Outage): readonly Lesson[] {
	const {to} = outage;
	const hanging = stillTerminating(outage);
	if (hanging.length === 0) return [];
	const blocked = hanging.filter(({workload}) => workload.kind === 'StatefulSet');
	const names = [...new Set(blocked.map(({namespace, workload}) => `${namespace}/${workload.name}`))];
	return [
		{
			title: 'Deleted, but not gone',
			text:
				`${count(hanging.length, 'pod')} ${hanging.length === 1 ? 'was' : 'were'} still Terminating at ${clock(to, outage)}: only a kubelet ends a pod. ` +
				(names.length > 0
					? `${listed(names)} ${names.length === 1 ? 'gets' : 'get'} no replacement until then. `
					: '') +
				'If a machine is off for sure, the taint node.kubernetes.io/out-of-service or deleting its Node ends them.',
			simulated: false,
		},
	];
}

function holds(outage: Outage): readonly Lesson[] {
	const shown = (text: string) => inTimeZone(text, outage.to, outage.timeZone ?? utc);
	return outage.held.map(({by, pods, releasedBy, from, to}) => ({
		title: 'Held pods',
		text:
			`From ${clock(from, outage)} ${to === undefined ? 'to the end' : `to ${clock(to, outage)}`}, up to ${count(pods, 'pod')} were held: ${shown(by)}. ` +
			`Evictions resume when ${shown(releasedBy)}.`,
		simulated: false,
	}));
}
