import type {Family} from './family.ts';

/** What this process does besides watching. */
export type RunState = {
	/** Absent where no leader is elected. */
	readonly isLeader?: boolean;
	readonly sent: number;
	readonly failed: number;
	readonly dropped: number;
};

/** What a run is like, whatever it watches. */
export const runFamilies: readonly Family<RunState>[] = [
	{
		name: 'evictwatch_leader',
		help: 'Whether this process is the one of several that notifies; absent where no leader is elected.',
		type: 'gauge',
		labels: [],
		samples: ({isLeader}) => (isLeader === undefined ? [] : [[{}, isLeader ? 1 : 0]]),
	},
	{
		name: 'evictwatch_notifications_sent_total',
		help: 'Alerts that a receiver took.',
		type: 'counter',
		labels: [],
		samples: ({sent}) => [[{}, sent]],
	},
	{
		name: 'evictwatch_notification_failures_total',
		help: 'Messages that were not taken; most of them are sent again.',
		type: 'counter',
		labels: [],
		samples: ({failed}) => [[{}, failed]],
	},
	{
		name: 'evictwatch_notifications_dropped_total',
		help: 'Alerts that nobody was told of, as they were refused or too many.',
		type: 'counter',
		labels: [],
		samples: ({dropped}) => [[{}, dropped]],
	},
];
