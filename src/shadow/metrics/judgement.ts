import {divergenceKinds} from '../compare/divergence.ts';
import type {Family, Sample} from './family.ts';
import {countBy, inSeconds, type MetricsState} from './state.ts';

// Neither reasons nor kinds contain a space.
const separator = ' ';

/** Metrics of divergences, and of what this process can see. */
export const judgementFamilies: readonly Family<MetricsState>[] = [
	{
		name: 'evictwatch_divergences_total',
		help: 'Actions of the controllers that were not as predicted, since this process started.',
		type: 'counter',
		labels: ['kind'],
		samples: ({view}) => divergenceKinds.map((kind): Sample => [{kind}, view.divergenceCounts[kind]]),
	},
	{
		name: 'evictwatch_open_divergences',
		help: 'Divergences that last, by kind and likely reason; alarm is false where an observation gap may explain them.',
		type: 'gauge',
		labels: ['kind', 'reason', 'alarm'],
		samples: ({view}) => {
			const lasting = view.divergences.filter(({endedAt}) => endedAt === null);
			const counts = countBy(lasting, ({kind, reason, isAlarm}) => [kind, reason, isAlarm].join(separator));
			return [...counts].map(([key, count]): Sample => {
				const [kind = '', reason = '', alarm = ''] = key.split(separator);
				return [{kind, reason, alarm}, count];
			});
		},
	},
	{
		name: 'evictwatch_pods_disrupted_by_others_total',
		help: 'Pods whose end others announced since this process started, by the reason of their DisruptionTarget condition; not predicted.',
		type: 'counter',
		labels: ['by'],
		samples: ({view}) => [...view.disrupted].map(([by, count]): Sample => [{by}, count]),
	},
	{
		name: 'evictwatch_alarms',
		help: 'Divergences that last and that somebody should look at.',
		type: 'gauge',
		samples: ({view}) => [
			[{}, view.divergences.filter(({endedAt, isAlarm}) => isAlarm && endedAt === null).length],
		],
	},
	{
		name: 'evictwatch_controller_up',
		help: 'Whether anybody runs the controllers: 1 or 0; absent where the lease of the leader may not be read.',
		type: 'gauge',
		samples: ({view: {controller}}) => (controller.isUp === null ? [] : [[{}, controller.isUp ? 1 : 0]]),
	},
	{
		name: 'evictwatch_controller_leader_age_seconds',
		help: 'For how long the present leader of the controller managers has led.',
		type: 'gauge',
		samples: ({now, view: {controller}}) => since(controller.leaderSince, now),
	},
	{
		name: 'evictwatch_controller_lease_age_seconds',
		help: 'How long ago the leader of the controller managers renewed its lease.',
		type: 'gauge',
		samples: ({now, view: {controller}}) => since(controller.renewedAt, now),
	},
	{
		name: 'evictwatch_watch_gaps_total',
		help: 'Times in which not all of the cluster could be seen, since this process started.',
		type: 'counter',
		samples: ({view}) => [[{}, view.gapCount]],
	},
	{
		name: 'evictwatch_watch_gap_seconds',
		help: 'For how long not all of the cluster has been seen; zero where all is.',
		type: 'gauge',
		samples: ({now, view}) => {
			const open = view.gaps.filter(({until}) => until === null).map(({from}) => from);
			return [[{}, open.length === 0 ? 0 : inSeconds(Math.max(0, now - Math.min(...open)))]];
		},
	},
	{
		name: 'evictwatch_problems',
		help: 'What cannot be read or understood, by reason.',
		type: 'gauge',
		labels: ['reason'],
		samples: ({view}) =>
			[...countBy(view.forecast.problems, ({reason}) => reason)].map(
				([reason, count]): Sample => [{reason}, count],
			),
	},
	{
		name: 'evictwatch_synced',
		help: 'Whether the cluster was read whole once.',
		type: 'gauge',
		samples: ({view}) => [[{}, view.hasSynced ? 1 : 0]],
	},
	{
		name: 'evictwatch_forecast_age_seconds',
		help: 'How long ago the latest look at the cluster was: there is one each second, and a forecast of a large cluster serves several.',
		type: 'gauge',
		samples: ({now, view}) => [[{}, inSeconds(Math.max(0, now - view.observedAt))]],
	},
];

const since = (instant: number | null, now: number): readonly Sample[] =>
	instant === null ? [] : [[{}, inSeconds(Math.max(0, now - instant))]];
