import type {ClusterSnapshot} from '../../../src/core/model/clusterSnapshot.ts';
import type {Lease} from '../../../src/core/model/lease.ts';
import type {Node} from '../../../src/core/model/node.ts';
import type {Pod} from '../../../src/core/model/pod.ts';
import type {Toleration} from '../../../src/core/model/toleration.ts';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {minute, second} from '../../../src/core/time/instant.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import {feed} from '../../support/feed.ts';
import {runAsProgram} from './bench.ts';
import {median, threadCpuOf} from './figures.ts';

/** Measures a forecast of a large cluster with one failed zone of three, and an update after one watch event. */
const nodes = 5000;
const podsPerNode = 30;
/** How many events arrive within a second of a forecast. */
const manyEvents = 30;
const now = Date.UTC(2026, 0, 1);

const tolerations: readonly Toleration[] = ['not-ready', 'unreachable'].map((key) => ({
	key: `node.kubernetes.io/${key}`,
	operator: 'Exists',
	value: '',
	effect: 'NoExecute',
	tolerationSeconds: 300,
}));

function snapshot(silentFor: number, marked: number): ClusterSnapshot {
	const names = Array.from({length: nodes}, (_, index) => `node-${index}`);
	const zoneOf = (index: number) => 'abc'[index % 3] ?? 'a';
	const isDead = (index: number) => zoneOf(index) === 'a';
	const isMarked = (index: number) => isDead(index) && index < marked * 3;
	return {
		observedAt: now,
		source: 'cluster',
		nodes: names.map((name, index): Node => {
			const times = {
				lastHeartbeatTime: now - 4 * minute,
				lastTransitionTime: isMarked(index) ? now - minute + index * 20 : now - 600 * minute,
			};
			return {
				name,
				uid: name,
				createdAt: now - 600 * minute,
				labels: {'topology.kubernetes.io/region': 'eu', 'topology.kubernetes.io/zone': zoneOf(index)},
				unschedulable: false,
				taints: [],
				conditions: [{type: 'Ready', status: isMarked(index) ? 'Unknown' : 'True', ...times}],
			};
		}),
		leases: names.map(
			(name, index): Lease => ({
				namespace: 'kube-node-lease',
				name,
				renewTime: isDead(index) ? now - silentFor - (index % 100) * 100 : now - (index % 100) * 100,
			}),
		),
		pods: names.flatMap((name, index) =>
			Array.from(
				{length: podsPerNode},
				(_, pod): Pod => ({
					namespace: `app-${pod}`,
					name: `web-${index}-${pod}`,
					uid: `${index}-${pod}`,
					nodeName: name,
					createdAt: now - 500 * minute,
					labels: {},
					tolerations,
					phase: 'Running',
					ready: isMarked(index) ? 'False' : 'True',
					...(isMarked(index) ? {readyChangedAt: now - minute + index * 20} : {}),
					isMirror: false,
				}),
			),
		),
		problems: [],
	};
}

/** Times in milliseconds of this thread's CPU. */
type Run = {
	readonly name: string;
	readonly load: number;
	readonly first: number;
	readonly again: number;
	/** After one event each. */
	readonly updates: readonly number[];
	/** What is in use at its end, the cluster included: the peak is mostly garbage, more of it the more forecasts are made. */
	readonly usedMegabytes: number;
};

export type ForecastMeasured = {readonly runs: readonly Run[]; readonly peakMegabytes: number};

function measureRun(name: string, silentFor: number, marked: number, events: number): Run {
	const seen = snapshot(silentFor, marked);
	const forecaster = new Forecaster(defaultSettings);
	const load = threadCpuOf(() => forecaster.observeSnapshot(seen));
	const first = threadCpuOf(() => forecaster.forecast(now));
	const again = threadCpuOf(() => forecaster.forecast(now + 100));
	// Nodes of the failed zone become Unknown one by one; each is an update of the forecast.
	const updates = seen.nodes
		.filter((_, index) => index % 3 === 0 && index > 900)
		.slice(0, events)
		.map((node, index) => {
			const at = now + 150 + index * 20;
			feed(forecaster, [{type: 'nodeApplied', node: turned(node, at, index % 2 > 0)}], at);
			return threadCpuOf(() => forecaster.forecast(at));
		});
	globalThis.gc?.();
	return {name, load, first, again, updates, usedMegabytes: process.memoryUsage().heapUsed / 2 ** 20};
}

function turned(node: Node, at: number, isTainted: boolean): Node {
	return {
		...node,
		taints: isTainted
			? [{key: 'node.kubernetes.io/unreachable', value: '', effect: 'NoExecute', timeAdded: at}]
			: [],
		conditions: node.conditions.map((one) => ({...one, status: 'Unknown', lastTransitionTime: now + 150})),
	};
}

/** The first run also compiles the code; the second is typical for a dashboard. */
export const warmRun = 1;

/** @param args `--short` for the forecast of a zone that just became silent, without any events */
function measure(args: readonly string[]): ForecastMeasured {
	const isShort = args.includes('--short');
	const events = isShort ? 0 : manyEvents;
	const silent = 25 * second;
	const runs = [
		measureRun('a zone just fallen silent', silent, 0, events),
		measureRun('a zone just fallen silent, once more', silent, 0, events),
		...(isShort ? [] : [measureRun('a pass over it under way', 90 * second, 300, events)]),
	];
	return {runs, peakMegabytes: process.resourceUsage().maxRSS / 1024};
}

function report({runs, peakMegabytes}: ForecastMeasured): string {
	const ms = (time: number) => `${time.toFixed(0)} ms`;
	return [
		'CPU time; the first run also compiles the code, the second is what a dashboard sees',
		...runs.map(
			({name, load, first, again, updates, usedMegabytes}) =>
				`${name}: load ${ms(load)}, forecast ${ms(first)}, again ${ms(again)}, after one event ${ms(median(updates))} (the worst of ${updates.length}: ${ms(Math.max(...updates))}); ${usedMegabytes.toFixed(0)} MB in use`,
		),
		`peak memory ${peakMegabytes.toFixed(0)} MB`,
	].join('\n');
}

if (import.meta.main) await runAsProgram({measure, report});
