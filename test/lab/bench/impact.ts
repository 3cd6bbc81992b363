import {occupancyOf, type PlacedPod} from '../../../src/core/model/workloads/occupancy.ts';
import {nothingRelated} from '../../../src/core/model/workloads/related.ts';
import type {NodeForecast} from '../../../src/forecast/nodeForecast.ts';
import type {PodForecast} from '../../../src/forecast/podForecast.ts';
import {withAfter} from '../../../src/impact/withAfter.ts';
import {workloadImpacts} from '../../../src/impact/workloadImpact.ts';
import {aController, relatedTo} from '../../impact/related.ts';
import {aForecast, aNodeForecast, aPodForecast, inSeconds} from '../../print/forecasts.ts';
import {aNode, inZone} from '../../support/builders.ts';
import {runAsProgram} from './bench.ts';
import {cpu, median} from './figures.ts';

/** Measures the impact on 20,000 pods that will be evicted and their 2,000 workloads, with 5,000 nodes to run on. */
const podCount = 20_000;
const podsPerWorkload = 10;
const nodeCount = 5000;
const limit = 200;
const rounds = 9;

const nodes = Array.from({length: nodeCount}, (_, index): NodeForecast => {
	const name = `node-${index}`;
	const allocatable = {cpu: 32_000, memory: 128 * 2 ** 30, pods: 110};
	const node = aNode(name, {labels: inZone('abc'[index % 3] ?? 'a'), allocatable});
	const isDead = index % 3 === 0;
	return aNodeForecast({
		name,
		node,
		...(isDead && {verdict: 'Silent', unknown: inSeconds(30 + (index % 20))}),
	});
});
const aPlacedPod: PlacedPod = {
	...{node: '', requests: {cpu: 100, memory: 2 ** 20}, priority: 0},
	...{keepsOthersAway: false, owner: undefined},
};
const workloads = podCount / podsPerWorkload;
const uidOf = (index: number) => `web-${index % workloads}`;
/** Pods of one workload share their labels object, as after decoding. */
const labelsOf = Array.from({length: workloads}, (_, index) => ({app: uidOf(index)}));
const pods = Array.from({length: podCount}, (_, index): PodForecast => {
	const uid = uidOf(index);
	return aPodForecast({
		...{namespace: `shop-${index % 40}`, name: `${uid}-${index}`, uid: String(index), after: null},
		...{
			node: `node-${(index % 1666) * 3}`,
			labels: labelsOf[index % workloads] ?? {},
			phase: 'Running',
			ready: 'True',
		},
		...{owner: {kind: index % 4 === 0 ? 'StatefulSet' : 'ReplicaSet', name: uid, uid}},
		eviction: inSeconds(300 + (index % 97)),
	});
});
/** More nodes than are read from a cluster, but a dump of them may hold as many. */
const occupancy = occupancyOf([
	...nodes.map(({name}) => ({...aPlacedPod, node: name, requests: {cpu: 30_000, memory: 2 ** 30}})),
	...pods.map(({node, owner}) => ({...aPlacedPod, node, owner: owner?.uid})),
]);
const related = relatedTo(
	Array.from({length: workloads}, (_, index) => aController(uidOf(index), {desired: 12, ready: 12})),
	{
		occupancy,
		budgets: Array.from({length: workloads}, (_, index) => ({
			...{
				namespace: `shop-${index % 40}`,
				name: uidOf(index),
				currentHealthy: 12,
				desiredHealthy: 11,
				expectedPods: 12,
			},
			selector: {matchLabels: {app: uidOf(index)}, matchExpressions: []},
		})),
		services: Array.from({length: workloads}, (_, index) => ({
			...{namespace: `shop-${index % 40}`, name: uidOf(index), publishesNotReady: false},
			selector: {app: uidOf(index)},
		})),
	},
);
const forecast = aForecast({pods, nodes});

/** A loop that measures how fast this machine is at the moment. */
function calibrate(): void {
	const counts = new Map<string, number>();
	for (let index = 0; index < 400_000; index += 1) counts.set(`k${index % 5000}`, index);
}

type ImpactMeasured = {
	/** The duration of the calibration loop, in milliseconds of CPU time, as are all of these. */
	readonly unit: number;
	readonly after: number;
	/** The same if no owner is read. */
	readonly unread: number;
	readonly impact: number;
};

// CPU time of the process, including garbage collection on other threads.
const medianOf = (work: () => unknown): number =>
	median(
		Array.from({length: rounds}, () => {
			const from = cpu();
			work();
			return cpu() - from;
		}),
	);

function measure(): ImpactMeasured {
	const unit = medianOf(calibrate);
	const after = medianOf(() => withAfter(forecast, related));
	const unread = medianOf(() => withAfter(forecast, nothingRelated));
	const impact = medianOf(() => workloadImpacts(withAfter(forecast, related), related)) - after;
	return {unit, after, unread, impact};
}

const report = ({unit, after, unread, impact}: ImpactMeasured): string =>
	[
		`what becomes of ${podCount} pods: ${after.toFixed(0)} ms (${unread.toFixed(0)} ms where no owner is read)`,
		`what that means for ${workloads} workloads: ${impact.toFixed(0)} ms`,
		`together ${(after + impact).toFixed(0)} ms of ${limit} ms, ${((after + impact) / unit).toFixed(1)} times a calibrating loop`,
	].join('\n');

if (import.meta.main) {
	const {after, impact} = await runAsProgram({measure, report});
	if (after + impact > limit) process.exitCode = 1;
}
