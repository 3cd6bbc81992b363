import type {Check} from '../judge.ts';
import type {JsonPod, JsonWorkload, Prediction} from './prediction.ts';
import type {SeenPod, Truth} from './truth.ts';
import {type Workload, workloads} from './workloads.ts';

/** How long it takes until a controller has counted a pod that is no longer ready and the watch shows it. */
const counting = 3000;

/** Compares the predictions for the failed zone's pods and for all workloads with what happened. */
export function judge(prediction: Prediction, truth: Truth, diedAt: number, isLarge: boolean): Check[] {
	const expectedWorkloads = workloads.map(({placementOfMany, ...one}) =>
		isLarge && placementOfMany ? {...one, placement: placementOfMany} : one,
	);
	return [
		...expectedWorkloads.flatMap((workload) => [
			judgeLowest(prediction, workload, truth, diedAt),
			judgePods(prediction, workload, truth, diedAt),
			judgeReadyAgain(prediction, workload, truth, diedAt),
		]),
		judgeEndpoints(prediction, truth, diedAt),
	];
}

/** Judges the endpoints of the only service. */
function judgeEndpoints({name, workloads: predicted}: Prediction, truth: Truth, diedAt: number): Check {
	const one = predicted.flatMap(({endpoints}) => endpoints).find(({service}) => service === 'web');
	const real = truth.lowest({kind: 'Service', name: 'web'}, diedAt);
	const failures =
		one && real
			? lowestFailures({lowest: one.lowest, reachesZero: one.lowest.ready === 0}, real, diedAt)
			: ['nothing is said of it'];
	return {name: `${name}: the endpoints of service web`, failures};
}

function judgeLowest(
	{name, workloads: predicted}: Prediction,
	workload: Workload,
	truth: Truth,
	diedAt: number,
) {
	const one = predicted.find(({kind, name}) => kind === workload.kind && name === workload.name);
	const real = truth.lowest(workload, diedAt);
	const failures = one && real ? lowestFailures(one, real, diedAt) : ['nothing is said of it'];
	return {name: `${name}: the lowest point of ${workload.kind} ${workload.name}`, failures};
}

/** That its new pods are ready neither sooner nor later than was said, and not all are where that needs somebody's doing. */
function judgeReadyAgain(
	{name, workloads: said}: Prediction,
	workload: Workload,
	truth: Truth,
	diedAt: number,
): Check {
	const one = said.find(({kind, name}) => kind === workload.kind && name === workload.name);
	const pods = truth.podsOf(workload.name);
	const lost = pods.filter(({createdAt, node}) => createdAt < diedAt && node.startsWith('b-'));
	const ready = pods
		.flatMap(({createdAt, readyAt}) => (createdAt >= diedAt && readyAt !== undefined ? readyAt : []))
		.toSorted((a, b) => a - b);
	const checkOf = (which: 'first' | 'all', at: number | undefined) => {
		if (at === undefined) return [];
		const said = one?.readyAgain?.[which];
		const [from, to] = [said?.earliest, said?.latest].map((time) => time && Date.parse(time));
		if (from && at >= from - 1000 && (!to || at <= to + 1000)) return [];
		const until = to ? `, by +${seconds(to - diedAt)}` : '';
		const told = from ? `not before +${seconds(from - diedAt)}${until}` : 'never by itself';
		return [`${which} ready at +${seconds(at - diedAt)}, said ${told}`];
	};
	const failures = one?.readyAgain
		? [...checkOf('first', ready[0]), ...checkOf('all', ready[lost.length - 1])]
		: ['nothing is said of it'];
	return {name: `${name}: when ${workload.kind} ${workload.name} is ready again`, failures};
}

function lowestFailures(
	{lowest, reachesZero}: Pick<JsonWorkload, 'lowest' | 'reachesZero'>,
	real: {ready: number; at: number},
	diedAt: number,
) {
	const failures: string[] = [];
	if (lowest.ready !== real.ready) failures.push(`${lowest.ready} ready were said, ${real.ready} came`);
	if (reachesZero !== (real.ready === 0)) failures.push(`reachesZero: ${reachesZero}`);
	const [earliest, latest] = [lowest.at?.earliest, lowest.at?.latest].map((at) => at && Date.parse(at));
	if (!earliest || !latest) failures.push('no time is said');
	else if (real.at < earliest - 1000 || real.at > latest + counting)
		failures.push(
			`at +${seconds(real.at - diedAt)}, said +${seconds(earliest - diedAt)}..${seconds(latest - diedAt)}`,
		);
	return failures;
}

function judgePods({name, pods}: Prediction, workload: Workload, truth: Truth, diedAt: number): Check {
	const seen = truth.podsOf(workload.name);
	const lost = seen.filter(({createdAt, node}) => createdAt < diedAt && node.startsWith('b-'));
	const failures = lost.flatMap((pod) => {
		const predicted = pods.find(({metadata}) => metadata.uid === pod.uid);
		return predicted ? podFailures(predicted, workload, pod, seen) : [`nothing is said of ${pod.name}`];
	});
	if (lost.length === 0) failures.push('it had no pod in the zone: nothing is proved');
	return {name: `${name}: what becomes of ${workload.kind} ${workload.name}`, failures};
}

/** Compares a pod's prediction, the scenario's expectation, and what happened. */
function podFailures(
	{after, verdict}: JsonPod,
	workload: Workload,
	pod: SeenPod,
	all: readonly SeenPod[],
): string[] {
	const failures: string[] = [];
	const expect = (isTrue: boolean, what: string) => {
		if (!isTrue) failures.push(`${pod.name}: ${what}`);
	};
	expect(after?.outcome === workload.outcome, `${workload.outcome} should be said, is ${after?.outcome}`);
	expect(after?.placement === workload.placement, `${workload.placement} should be, is ${after?.placement}`);
	const staysBehind = pod.terminatingAt !== undefined && pod.goneAt === undefined;
	const isPredictedStuck =
		after?.outcome === 'Blocked' || after?.detail.includes('stays Terminating') === true;
	expect(staysBehind === isPredictedStuck, `stays Terminating: ${staysBehind}, said: ${after?.detail}`);
	expect((pod.terminatingAt === undefined) === (verdict === 'Stays'), `${verdict}, but is otherwise`);
	const since = pod.terminatingAt ?? Number.POSITIVE_INFINITY;
	const others = all.filter(({createdAt}) => createdAt >= since - 1000);
	const isReplaced = others.length > 0;
	expect(isReplaced === (after?.outcome === 'Replaced'), `replaced: ${isReplaced}`);
	if (after?.placement === 'Fits')
		expect(
			others.every(({node}) => node !== ''),
			'its successors find a node, it was said',
		);
	if (after?.placement === 'None')
		expect(
			others.every(({node, isUnschedulable}) => node === '' && isUnschedulable),
			'its successors find no node, it was said',
		);
	return failures;
}

const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);
