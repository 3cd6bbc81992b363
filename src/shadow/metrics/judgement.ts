import {divergenceKinds} from '../compare/divergence.ts';
import {openGap} from '../shadowView.ts';
import {counter, countsBy, type Family, gauge, type Sample, single} from './family.ts';
import {inSeconds, type MetricsState} from './state.ts';

/** Metrics of divergences, and of what this process can see. */
export const judgementFamilies: readonly Family<MetricsState>[] = [
	counter(
		'evictwatch_divergences_total',
		'Actions of the controllers that were not as predicted, since this process started.',
		['kind'],
		({view}) => divergenceKinds.map((kind): Sample => [{kind}, view.divergenceCounts[kind]]),
	),
	gauge(
		'evictwatch_open_divergences',
		'Divergences that last, by kind and reason; alarm is false where an observation gap may explain them.',
		['kind', 'reason', 'alarm'],
		({view}) =>
			countsBy(
				view.divergences.filter(({endedAt}) => endedAt === null),
				({kind, reason, isAlarm}) => ({kind, reason, alarm: String(isAlarm)}),
			),
	),
	counter(
		'evictwatch_pods_disrupted_by_others_total',
		'Pods whose end others announced since this process started, by the reason of their DisruptionTarget condition; not predicted.',
		['by'],
		({view}) => [...view.disrupted].map(([by, count]): Sample => [{by}, count]),
	),
	gauge('evictwatch_alarms', 'Divergences that last and that somebody should look at.', [], ({view}) =>
		single(view.divergences.filter(({endedAt, isAlarm}) => isAlarm && endedAt === null).length),
	),
	gauge(
		'evictwatch_controller_up',
		'Whether anybody runs the controllers: 1 or 0; absent where the lease of the leader may not be read.',
		[],
		({view: {controller}}) => single(controller.isUp === null ? null : Number(controller.isUp)),
	),
	gauge(
		'evictwatch_controller_leader_age_seconds',
		'For how long the present leader of the controller managers has led.',
		[],
		({now, view: {controller}}) => since(controller.leaderSince, now),
	),
	gauge(
		'evictwatch_controller_lease_age_seconds',
		'How long ago the leader of the controller managers renewed its lease.',
		[],
		({now, view: {controller}}) => since(controller.renewedAt, now),
	),
	counter(
		'evictwatch_watch_gaps_total',
		'Times in which not all of the cluster could be seen, since this process started.',
		[],
		({view}) => single(view.gapCount),
	),
	gauge(
		'evictwatch_watch_gap_seconds',
		'For how long not all of the cluster has been seen; zero where all is.',
		[],
		({now, view}) => since(openGap(view)?.from ?? now, now),
	),
	gauge('evictwatch_problems', 'What cannot be read or understood, by reason.', ['reason'], ({view}) =>
		countsBy(view.forecast.problems, ({reason}) => ({reason})),
	),
	gauge('evictwatch_synced', 'Whether the cluster was read whole once.', [], ({view}) =>
		single(Number(view.hasSynced)),
	),
	gauge(
		'evictwatch_forecast_age_seconds',
		'How long ago the latest look at the cluster was: there is one each second, and a forecast of a large cluster serves several.',
		[],
		({now, view}) => since(view.observedAt, now),
	),
];

const since = (instant: number | null, now: number): readonly Sample[] =>
	single(instant === null ? null : inSeconds(Math.max(0, now - instant)));
