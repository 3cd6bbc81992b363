import {type Instant, second} from '../core/time/instant.ts';
import {formatTimestamp} from '../dates/utc.ts';
import type {LowPoint} from '../forecast/lowPoint.ts';
import type {
	EvictionJson,
	ForetoldJson,
	KubeletEvictionJson,
	NodeStoryJson,
	OutageReportJson,
	WorkloadLowJson,
} from '../print/contract/outageReport.ts';
import {rangeJson} from '../print/json/rangeJson.ts';
import {scoreJson} from '../print/score.ts';
import {lessonsOf} from './lessons.ts';
import type {Eviction, EvictionByKubelet, JudgedPrediction, NodeStory, Outage} from './outage.ts';
import {summaryOf} from './summary.ts';
import {timelineOf} from './timeline.ts';

/** A report as JSON for programs. All times, even in sentences, are in UTC. */
export const reportJson = ({timeZone: _, ...outage}: Outage): OutageReportJson => ({
	apiVersion: 'evictwatch.dev/v1',
	kind: 'OutageReport',
	metadata: {
		cluster: outage.title,
		source: outage.file,
		kubernetesVersion: outage.kubernetesVersion ?? null,
		from: formatTimestamp(outage.from),
		to: formatTimestamp(outage.to),
		problems: outage.problems.map(({reason, message}) => ({reason, message})),
	},
	summary: summaryOf(outage),
	score: scoreJson(outage.score),
	nodeCount: outage.nodeCount,
	nodes: outage.nodes.map(nodeJson),
	evictions: outage.evictions.map(evictionJson),
	kubeletEvictions: outage.byKubelets.map(kubeletEvictionJson),
	otherDeletions: outage.otherDeletions,
	averted: outage.averted.map(({firstPredictedAt, ...rest}) => ({
		...rest,
		firstSaidAt: formatTimestamp(firstPredictedAt),
	})),
	stillComing: outage.stillComing,
	workloads: outage.workloads.map(workloadJson),
	held: outage.held.map(({by, from, to, pods, releasedBy}) => ({
		by,
		from: formatTimestamp(from),
		to: orNull(to),
		pods,
		releasedBy,
	})),
	timeline: timelineOf(outage).map(({at, kind, text, count}) => ({
		at: formatTimestamp(at),
		kind,
		text,
		count,
	})),
	lessons: lessonsOf(outage),
	settings: outage.settings.map(({name, value, source}) => ({
		name,
		value,
		source: {kind: source.kind, detail: source.detail},
	})),
});

const orNull = (at: Instant | undefined): string | null => (at === undefined ? null : formatTimestamp(at));

const nodeJson = ({
	name,
	zone,
	lastRenewal,
	unreadyAt,
	status,
	taintedAt,
	taint,
	backAt,
	deletedAt,
}: NodeStory): NodeStoryJson => ({
	...{name, zone},
	lastRenewal: orNull(lastRenewal),
	ready: status ?? null,
	unreadyAt: orNull(unreadyAt),
	taint: taint ?? null,
	taintedAt: orNull(taintedAt),
	backAt: orNull(backAt),
	deletedAt: orNull(deletedAt),
});

const evictionJson = ({first, last, isInside, deletedAt, goneAt, ...rest}: Eviction): EvictionJson => ({
	metadata: {namespace: rest.namespace, name: rest.name, uid: rest.uid},
	node: rest.node,
	workload: rest.workload,
	cause: rest.cause && {
		...{
			kind: rest.cause.kind,
			taint: rest.cause.taint ?? null,
			tolerationSeconds: rest.cause.tolerationSeconds ?? null,
		},
	},
	deletedAt: formatTimestamp(deletedAt),
	goneAt: orNull(goneAt),
	inside: isInside ?? null,
	first: first ? foretoldJson(first) : null,
	last: last ? foretoldJson(last) : null,
});

const kubeletEvictionJson = (one: EvictionByKubelet): KubeletEvictionJson => ({
	metadata: {namespace: one.namespace, name: one.name},
	node: one.node,
	signals: one.signals,
	evictedAt: formatTimestamp(one.evictedAt),
	inside: one.isInside ?? null,
	first: one.first ? foretoldJson(one.first) : null,
	last: one.last ? foretoldJson(one.last) : null,
});

const foretoldJson = ({madeAt, range, lead, error}: JudgedPrediction): ForetoldJson => ({
	madeAt: formatTimestamp(madeAt),
	eviction: rangeJson(range),
	leadSeconds: Math.round(lead) / second,
	errorSeconds: Math.round(error) / second,
});

const workloadJson = ({
	namespace,
	kind,
	name,
	desired,
	before,
	lowest,
	foretold: said,
}: LowPoint): WorkloadLowJson => ({
	...{namespace, kind, name, desired, readyBefore: before},
	lowest: {ready: lowest.ready, at: formatTimestamp(lowest.at)},
	foretold: said
		? {ready: said.ready, at: said.at && rangeJson(said.at), madeAt: formatTimestamp(said.madeAt)}
		: null,
});
