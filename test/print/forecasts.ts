import type {Instant} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {NodeForecast} from '../../src/forecast/nodeForecast.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {Range} from '../../src/forecast/range.ts';
import type {ZoneForecast} from '../../src/forecast/zoneForecast.ts';

export const now: Instant = Date.parse('2026-01-31T14:00:00Z');

/** A range from the seconds from now to its ends; its median is the middle. */
export const inSeconds = (earliest: number, latest: number | null = earliest): Range =>
	new Range(
		now + earliest * 1000,
		now + ((earliest + (latest ?? earliest)) / 2) * 1000,
		latest === null ? null : now + latest * 1000,
	);

export const aPodForecast = (fields: Partial<PodForecast> = {}): PodForecast => ({
	namespace: 'shop',
	name: 'cart-0',
	uid: 'uid-cart-0',
	node: 'n1',
	zone: 'eu/a',
	labels: {},
	verdict: 'Scheduled',
	eviction: inSeconds(250, 302),
	cause: {kind: 'Taint', taint: 'node.kubernetes.io/unreachable:NoExecute', tolerationSeconds: 300},
	held: null,
	because: ['n1 is unreachable', 'cart-0 tolerates that for 300s'],
	after: {outcome: 'StuckTerminating', detail: 'its kubelet is gone'},
	...fields,
});

export const aNodeForecast = (fields: Partial<NodeForecast> = {}): NodeForecast => ({
	name: 'n1',
	uid: 'uid-n1',
	labels: {},
	zone: 'eu/a',
	verdict: 'Healthy',
	ready: 'True',
	lastRenewal: now - 4000,
	isSilent: false,
	unknown: null,
	noExecute: null,
	nextProbability: null,
	taints: [],
	because: [],
	...fields,
});

export const aZoneForecast = (fields: Partial<ZoneForecast> = {}): ZoneForecast => ({
	zone: 'eu/a',
	state: 'Normal',
	size: 10,
	notReady: 0,
	silent: 0,
	late: 0,
	rate: 0.1,
	nextTaint: inSeconds(0),
	taints: [],
	queue: [],
	coming: {steps: [], isSure: true},
	toNextState: [{state: 'PartialDisruption', rate: 0, nodesDown: 6}],
	because: [],
	...fields,
});

export const aForecast = (fields: Partial<Forecast> = {}): Forecast => ({
	observedAt: now,
	source: 'cluster',
	kubernetesVersion: 'v1.36.3',
	problems: [],
	pods: [],
	pass: null,
	nodes: [],
	zones: [],
	...fields,
});
