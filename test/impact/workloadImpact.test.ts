import {expect, test} from 'vitest';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {After, PodForecast} from '../../src/forecast/podForecast.ts';
import {isBelowBudget} from '../../src/impact/endpoints.ts';
import {workloadImpacts} from '../../src/impact/workloadImpact.ts';
import {aForecast, aNodeForecast, aPodForecast, aZoneForecast, inSeconds} from '../print/forecasts.ts';
import {aPod} from '../support/builders.ts';
import {aController, aJob, relatedTo} from './related.ts';

const owner = {kind: 'ReplicaSet', name: 'web-1', uid: 'web-1'};
const deployment = aController('web', {kind: 'Deployment', uid: 'web', desired: 4, ready: 4});
const replicaSet = aController('web-1', {owner: {kind: 'Deployment', name: 'web', uid: 'web'}, ready: 4});
const labels = {app: 'web'};

const web = (name: string, fields: Partial<PodForecast> = {}): PodForecast =>
	aPodForecast({name, uid: name, owner, labels, ready: 'True', ...fields});

const budget = {
	namespace: 'shop',
	name: 'web',
	selector: {matchLabels: labels, matchExpressions: []},
	currentHealthy: 4,
	desiredHealthy: 3,
	expectedPods: 4,
};

test('a workload loses what is ready when nodes turn Unknown, long before the evictions', () => {
	const silent = aNodeForecast({name: 'n1', verdict: 'Silent', unknown: inSeconds(40, 50)});
	const forecast = aForecast({
		nodes: [silent],
		pods: [web('web-a'), web('web-b', {eviction: inSeconds(260, 270)})],
	});
	const [impact] = workloadImpacts(forecast, relatedTo([deployment, replicaSet]));
	expect(impact).toMatchObject({
		kind: 'Deployment',
		name: 'web',
		desired: 4,
		readyNow: 4,
		lowest: {ready: 2, at: inSeconds(40, 50)},
		reachesZero: false,
	});
	expect(impact?.losses.map(({pod, kind, ready}) => `${pod} ${kind} ${ready}`)).toEqual([
		'web-a NotReady 3',
		'web-b NotReady 2',
		'web-b Evicted 2',
		'web-a Evicted 2',
	]);
});

test('pods of a late node that nothing evicts become not ready with it, as those of a silent one', () => {
	const pods = [
		web('web-a', {verdict: 'Unsure', eviction: inSeconds(340, null)}),
		web('web-b', {verdict: 'Safe', eviction: null}),
	];
	const lowest = (node: Parameters<typeof aNodeForecast>[0]) =>
		workloadImpacts(
			aForecast({nodes: [aNodeForecast({name: 'n1', ...node})], pods}),
			relatedTo([deployment, replicaSet]),
		)[0]?.lowest;
	expect(lowest({verdict: 'Late', unknown: inSeconds(40, null)})).toEqual({
		ready: 2,
		at: inSeconds(40, null),
	});
	expect(lowest({verdict: 'Healthy', unknown: null})).toMatchObject({ready: 3});
});

test('a pod that is Ready still on a node that has turned Unknown is lost before the pass is over, and not with its eviction', () => {
	const nodes = [aNodeForecast({name: 'n1', verdict: 'Queued', ready: 'Unknown'})];
	const pods = [web('web-a', {eviction: inSeconds(310, 320)})];
	const related = relatedTo([{...deployment, desired: 1, ready: 1}, replicaSet]);
	const lowestAt = (pass: Forecast['pass']) =>
		workloadImpacts(aForecast({nodes, pods, pass}), related)[0]?.lowest.at;
	expect(lowestAt(null)).toEqual(inSeconds(0, 1.5));
	const throttled = {startedAt: 0, marked: 1, remaining: 9, unknown: [], endsAt: inSeconds(50, 70)};
	expect(lowestAt(throttled)).toEqual(inSeconds(0, 70));
	const stopped = {
		kind: 'ControllerDown',
		by: 'no controller manager runs',
		since: 0,
		releasedBy: '',
	} as const;
	const zones = [aZoneForecast({stopped})];
	const [uncontrolled] = workloadImpacts(aForecast({nodes, pods, zones}), related);
	expect(uncontrolled?.lowest.at).toMatchObject({earliest: inSeconds(0).earliest, latest: null});
});

test('a workload that is meant to have no pods does not reach zero', () => {
	const forecast = aForecast({pods: [web('web-a', {eviction: inSeconds(260, 270)})]});
	const scaledTo = (desired: number) =>
		workloadImpacts(forecast, relatedTo([{...deployment, desired, ready: 1}, replicaSet]))[0];
	expect(scaledTo(1)).toMatchObject({lowest: {ready: 0}, reachesZero: true});
	expect(scaledTo(0)).toMatchObject({lowest: {ready: 0}, reachesZero: false});
});

test('a workload is ready again once all that it needs may be replaced, if nobody has to do anything', () => {
	const replaced = {outcome: 'Replaced', detail: '', readyAfter: {least: 0, most: 20}} as const;
	const going = web('web-a', {eviction: inSeconds(40, 50), after: replaced});
	const againWith = (fields: Partial<PodForecast>) =>
		workloadImpacts(
			aForecast({pods: [going, web('web-b', {eviction: inSeconds(260, 270), ...fields})]}),
			relatedTo([deployment, replicaSet]),
		)[0]?.readyAgain;
	const known = (all: object | null) => ({first: {earliest: at(40), latest: at(70)}, all, isKnown: true});
	const at = (seconds: number) => inSeconds(seconds).earliest;
	expect(againWith({after: replaced})).toMatchObject(known({earliest: at(260), latest: at(290)}));
	const slow = {...replaced, readyAfter: {least: 360, most: null}};
	expect(againWith({after: slow})).toMatchObject(known({earliest: at(620), latest: null}));
	const first = {earliest: at(40), latest: at(70)};
	expect(againWith({after: {outcome: 'NotNeeded', detail: ''}})).toMatchObject(known(first));
	const deletedBefore = (seconds: number) =>
		againWith({
			...{verdict: 'Terminating', eviction: null, after: replaced},
			object: aPod('web-b', {deletionTimestamp: at(30 - seconds), deletionGracePeriodSeconds: 30}),
		});
	expect(deletedBefore(5)).toMatchObject({first: {earliest: at(0), latest: at(15)}, all: first});
	// Its end is over, so nothing tells it.
	expect(deletedBefore(60)).toMatchObject({first: {earliest: at(0), latest: at(70)}, all: {latest: null}});
	const somebodys: After = {outcome: 'Replaced', detail: '', placement: 'None'};
	for (const after of [somebodys, {...somebodys, outcome: 'Lost' as const}])
		expect(againWith({after})).toMatchObject(known(null));
	expect(againWith({after: {outcome: 'Unknown', detail: ''}})).toMatchObject({all: null, isKnown: false});
	expect(againWith({verdict: 'Held', eviction: null, after: replaced})).toMatchObject(known(null));
});

test('a pod that stays on a lost node is a loss as well', () => {
	const silent = aNodeForecast({name: 'n1', verdict: 'Silent', unknown: inSeconds(40, 50)});
	const agent = {kind: 'DaemonSet', name: 'agent', uid: 'agent'};
	const pods = [web('agent-a', {owner: agent, verdict: 'Stays', eviction: null})];
	const related = relatedTo([aController('agent', {kind: 'DaemonSet', desired: 1, ready: 1})]);
	const [impact] = workloadImpacts(aForecast({nodes: [silent], pods}), related);
	expect(impact).toMatchObject({lowest: {ready: 0, at: inSeconds(40, 50)}, reachesZero: true});
	const healthy = aForecast({nodes: [aNodeForecast({name: 'n1'})], pods});
	expect(workloadImpacts(healthy, related)).toEqual([]);
});

test('on a live node the eviction itself is the loss', () => {
	const alive = aNodeForecast({name: 'n1'});
	const pods = [web('web-a', {eviction: inSeconds(30)}), web('web-b', {eviction: inSeconds(20)})];
	const related = relatedTo([{...deployment, ready: 2}, replicaSet]);
	const [impact] = workloadImpacts(aForecast({nodes: [alive], pods}), related);
	expect(impact).toMatchObject({lowest: {ready: 0, at: inSeconds(30)}, reachesZero: true});
});

test('a status read before pods were marked not ready is corrected by them, but not by those that are being deleted', () => {
	const marked = ['web-a', 'web-b'].map((name) => web(name, {ready: 'False'}));
	const deleted = web('web-c', {ready: 'False', verdict: 'Terminating'});
	const [impact] = workloadImpacts(
		aForecast({nodes: [], pods: [...marked, deleted]}),
		relatedTo([deployment, replicaSet]),
	);
	expect(impact).toMatchObject({readyNow: 2, lowest: {ready: 2}, reachesZero: false});
});

test('a status read while pods are being marked does not count healthy pods as lost, nor does a budget', () => {
	const turning = aNodeForecast({name: 'n1', verdict: 'Silent', unknown: inSeconds(0, 3)});
	const marked = web('web-d', {ready: 'False'});
	const forecast = aForecast({nodes: [turning], pods: [web('web-a'), web('web-b'), marked]});
	// Two healthy pods are on other nodes; the status has seen one of the two on n1 marked.
	const related = relatedTo([{...deployment, desired: 5, ready: 3}, replicaSet], {
		budgets: [{...budget, currentHealthy: 3, desiredHealthy: 2, expectedPods: 5}],
	});
	const [impact] = workloadImpacts(forecast, related);
	expect(impact).toMatchObject({readyNow: 4, lowest: {ready: 2}, reachesZero: false});
	expect(impact?.budgets).toMatchObject([{lowestHealthy: 2}]);
	// A budget that also covers others counts by its own status.
	const shared = [{...budget, currentHealthy: 3, desiredHealthy: 2, expectedPods: 8}];
	const [ofMore] = workloadImpacts(
		forecast,
		relatedTo([{...deployment, desired: 5, ready: 3}, replicaSet], {budgets: shared}),
	);
	expect(ofMore?.budgets).toMatchObject([{lowestHealthy: 1}]);
	// Long before, what is ready by the status is on the silent node.
	const silent = {...turning, unknown: inSeconds(20, 25)};
	const [sooner] = workloadImpacts({...forecast, nodes: [silent]}, related);
	expect(sooner).toMatchObject({readyNow: 3, lowest: {ready: 1}});
});

test('budgets say how many healthy pods they want and keep, and how many evictions they would have forbidden', () => {
	const pods = [10, 20, 30].map((seconds) => web(`web-${seconds}`, {eviction: inSeconds(seconds)}));
	const forecast = aForecast({nodes: [aNodeForecast({name: 'n1'})], pods});
	const [impact] = workloadImpacts(forecast, relatedTo([deployment, replicaSet], {budgets: [budget]}));
	expect(impact?.budgets).toEqual([
		{name: 'web', desiredHealthy: 3, lowestHealthy: 1, below: inSeconds(20), forbids: 2},
	]);
	expect(isBelowBudget(impact ?? {budgets: []})).toBe(true);
});

test('budgets and services of other namespaces, or with other labels, are not meant', () => {
	const service = {namespace: 'shop', name: 'web', selector: labels, publishesNotReady: false};
	const related = relatedTo([deployment, replicaSet], {
		budgets: [{...budget, namespace: 'other'}],
		services: [service, {...service, name: 'cart', selector: {app: 'cart'}}],
	});
	const [impact] = workloadImpacts(aForecast({pods: [web('web-a')]}), related);
	expect(impact).toMatchObject({budgets: [], services: ['web']});
});

test('what is not known is not made up', () => {
	const [impact] = workloadImpacts(aForecast({pods: [web('web-a')]}), relatedTo([]));
	expect(impact).toMatchObject({
		kind: 'ReplicaSet',
		desired: null,
		readyNow: null,
		lowest: {ready: null, at: null},
		reachesZero: null,
	});
});

test('pods that have ended are no replicas, however many pile up', () => {
	const pods = [
		web('web-a', {verdict: 'Safe', eviction: null}),
		...['x', 'y', 'z'].map((name) =>
			web(`web-${name}`, {
				phase: 'Failed',
				ready: 'False',
				verdict: 'Safe',
				eviction: null,
				cause: {kind: 'NodePressure'},
			}),
		),
	];
	const nodes = [aNodeForecast({name: 'n1', verdict: 'Silent', unknown: inSeconds(40, 50)})];
	const related = relatedTo([{...deployment, desired: 2, ready: 2}, replicaSet]);
	const [impact] = workloadImpacts(aForecast({nodes, pods}), related);
	expect(impact).toMatchObject({readyNow: 2, lowest: {ready: 1}, reachesZero: false});
});

test('Jobs that are over lose nothing, and those of a CronJob that run count together', () => {
	const job = (name: string, fields: Parameters<typeof aJob>[0]) =>
		aController(name, {
			...{kind: 'Job', uid: name, desired: 1, ready: 1, job: aJob(fields)},
			owner: {kind: 'CronJob', name: 'nightly', uid: 'nightly'},
		});
	const pod = (name: string, fields: Partial<PodForecast> = {}) =>
		web(name, {owner: {kind: 'Job', name, uid: name}, ...fields});
	const done = pod('done', {phase: 'Succeeded', ready: 'False'});
	const related = relatedTo([job('done', {ended: 'Complete'}), job('one', {}), job('two', {})]);
	const nodes = [aNodeForecast({name: 'n1', verdict: 'Tainted', ready: 'Unknown'})];
	expect(workloadImpacts(aForecast({nodes, pods: [done]}), related)).toEqual([]);
	expect(workloadImpacts(aForecast({nodes, pods: [done, pod('one'), pod('two')]}), related)).toMatchObject([
		{kind: 'CronJob', name: 'nightly', desired: 2, readyNow: 2, lowest: {ready: 0}},
	]);
});

test('a budget counts the pods of all workloads that it covers, and none that is being deleted', () => {
	const nodes = [aNodeForecast({name: 'n1', verdict: 'Silent', unknown: inSeconds(40, 50)})];
	const other = {kind: 'ReplicaSet', name: 'api', uid: 'api'};
	const pods = [
		web('web-a'),
		web('api-a', {owner: other}),
		web('api-b', {owner: other, verdict: 'Terminating', eviction: null}),
	];
	const related = relatedTo([deployment, replicaSet, aController('api')], {
		budgets: [{...budget, currentHealthy: 8, expectedPods: 8}],
	});
	const lowest = workloadImpacts(aForecast({nodes, pods}), related).map(
		({budgets}) => budgets[0]?.lowestHealthy,
	);
	expect(lowest).toEqual([6, 6]);
});
