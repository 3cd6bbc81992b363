import type {WorkloadName} from '../core/model/workloads/workload.ts';
import type {Instant} from '../core/time/instant.ts';
import {utc} from '../dates/timeZone.ts';
import type {Cause, PodForecast} from '../forecast/podForecast.ts';
import type {Range} from '../forecast/range.ts';
import type {Setting} from '../forecast/settings/setting.ts';
import type {PrintedJson, ProblemJson, ScoreJson} from '../print/contract/common.ts';
import {apiVersion, problemsJson} from '../print/json/json.ts';
import {fieldsOf, secondsJson} from '../print/json/jsonOf.ts';
import {scoreJson} from '../print/score.ts';
import type {Eviction, JudgedPrediction, Outage, OutageEvent} from './outage.ts';
import {summaryOf} from './summary.ts';
import {timelineOf} from './timeline.ts';

/** A prediction for a pod, compared with the actual deletion. */
type PredictionJson = Pick<JudgedPrediction, 'madeAt'> & {
	readonly eviction: Range;
	/** How long before the deletion it was made. */
	readonly leadSeconds: number;
	/** How far the deletion was outside the range: negative if too early, positive if too late, zero if inside. */
	readonly errorSeconds: number;
};

/** The predictions for a pod that count. */
type JudgedJson = {
	/** Whether its end is inside all of them; null if there is none. */
	readonly inside: boolean | null;
	readonly first: PredictionJson | null;
	readonly last: PredictionJson | null;
};

/** Printed by `report -o json`. */
export type OutageReportJson = PrintedJson<
	'OutageReport',
	Pick<Outage, 'from' | 'to'> &
		Readonly<{
			cluster: string;
			/** The file that was read. */
			source: string;
			kubernetesVersion: string | null;
			problems: readonly ProblemJson[];
		}>
> &
	Pick<Outage, 'nodeCount' | 'nodes' | 'otherDeletions' | 'averted' | 'stillComing' | 'workloads' | 'held'> &
	Readonly<{
		/** For people: what happened, one sentence each. */
		summary: readonly string[];
		score: ScoreJson;
		evictions: readonly (JudgedJson &
			Readonly<{
				metadata: Pick<PodForecast, 'namespace' | 'name' | 'uid'>;
				node: string;
				workload: WorkloadName;
				cause: {
					readonly kind: Cause['kind'];
					readonly taint: string | null;
					readonly tolerationSeconds: number | null;
				} | null;
				deletedAt: Instant;
				/** Null if it still existed when the recording ended. */
				goneAt: Instant | null;
			}>)[];
		/** Evictions by kubelets, if the recording has their measurements; the objects of the pods stay. */
		kubeletEvictions: readonly (JudgedJson &
			Readonly<{
				metadata: Pick<PodForecast, 'namespace' | 'name'>;
				node: string;
				/** The signals that its node ran short of, if they were predicted: `memory.available`. */
				signals: readonly string[];
				evictedAt: Instant;
			}>)[];
		/** What happened, with the number of events in each entry. */
		timeline: readonly (OutageEvent & {readonly count: number})[];
		settings: readonly Pick<Setting, 'name' | 'value' | 'source'>[];
	}>;

/** A report as JSON for programs. All times, even in sentences, are in UTC. */
export const reportJson = (outage: Outage): OutageReportJson => ({
	apiVersion,
	kind: 'OutageReport',
	metadata: {
		cluster: outage.title,
		source: outage.file,
		...fieldsOf(outage, 'kubernetesVersion', 'from', 'to'),
		problems: problemsJson(outage.problems),
	},
	summary: summaryOf({...outage, timeZone: utc}),
	score: scoreJson(outage.score),
	...fieldsOf(outage, 'nodeCount', 'nodes', 'otherDeletions', 'averted', 'stillComing', 'workloads', 'held'),
	evictions: outage.evictions.map((eviction) => ({
		metadata: fieldsOf(eviction, 'namespace', 'name', 'uid'),
		...fieldsOf(eviction, 'node', 'workload', 'deletedAt', 'goneAt'),
		cause: eviction.cause && fieldsOf(eviction.cause, 'kind', 'taint', 'tolerationSeconds'),
		...judgedJson(eviction),
	})),
	kubeletEvictions: outage.byKubelets.map((eviction) => ({
		metadata: fieldsOf(eviction, 'namespace', 'name'),
		...fieldsOf(eviction, 'node', 'signals', 'evictedAt'),
		...judgedJson(eviction),
	})),
	timeline: timelineOf(outage),
	settings: outage.settings.map((setting) => fieldsOf(setting, 'name', 'value', 'source')),
});

const judgedJson = ({first, last, isInside}: Pick<Eviction, 'first' | 'last' | 'isInside'>): JudgedJson => ({
	inside: isInside ?? null,
	first: first ? predictionJson(first) : null,
	last: last ? predictionJson(last) : null,
});

const predictionJson = ({madeAt, range, lead, error}: JudgedPrediction): PredictionJson => ({
	madeAt,
	eviction: range,
	leadSeconds: secondsJson(lead),
	errorSeconds: secondsJson(error),
});
