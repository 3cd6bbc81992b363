import {expect, test} from 'vitest';
import {
	endOfEvictions,
	isPending,
	lastOf,
	nodesInRandomOrder,
	pendingOf,
	startOfEvictions,
} from '../../src/forecast/pending.ts';
import {Range} from '../../src/forecast/range.ts';
import {onePer, taintPace} from '../../src/forecast/words.ts';
import {statusJson} from '../../src/print/status/status.ts';
import {aForecast, aNodeForecast, aPodForecast, aZoneForecast, inSeconds} from '../print/forecasts.ts';

const pod = (name: string, eviction: Range) => aPodForecast({name, eviction});

test('the next eviction is the one with the soonest median, on the page as in all counts', () => {
	const {earliest, expected, latest} = inSeconds(10, 100);
	const wide = pod('wide', new Range(earliest, expected + 1, latest));
	const pods = [wide, pod('narrow', inSeconds(20, 22))];
	expect(pendingOf(pods)[0]?.name).toBe('narrow');
	const status = {forecast: aForecast({pods}), impacts: [], nextLoss: undefined, grace: '50s'};
	expect(statusJson(status).next?.name).toBe('narrow');
});

test('the last eviction comes no sooner than any may begin, and no later than all are over, in whatever order they stand', () => {
	const three = [pod('a', inSeconds(10, 90)), pod('b', inSeconds(50, 80)), pod('c', inSeconds(60, 70))];
	for (const pods of [three, three.toReversed()])
		expect(lastOf(pods.filter(isPending))).toMatchObject({
			earliest: inSeconds(60, 70).earliest,
			latest: inSeconds(10, 90).latest,
		});
	const open = lastOf([...three, pod('d', inSeconds(5, null))].filter(isPending));
	expect(open).toMatchObject({earliest: inSeconds(60, 70).earliest, latest: null});
	expect(lastOf([])).toBeNull();
});

test('the first of more evictions than a call may have arguments is found', () => {
	const pods = [pod('first', inSeconds(5, 8)), ...new Array(200_000).fill(pod('web', inSeconds(10, 90)))];
	expect(startOfEvictions(aForecast({pods}))).toMatchObject(inSeconds(5, 8));
});

test.for([
	[0.01, 'one node tainted every 1m40s'],
	[0.1, 'one node tainted every 10s'],
	[1, 'one node tainted every 1s'],
	[2.5, '2.5 nodes tainted per second'],
	[5, '5 nodes tainted per second'],
] as const)('%d nodes a second are %s', ([rate, words]) => {
	expect(taintPace({rate})).toBe(words);
	expect(taintPace({rate, isRateAssumed: true})).toBe(`${words}, if the default rate holds`);
});

test('however high a rate is, no node is tainted every 0s', () => {
	expect([0.3, 5, 50].map(onePer)).toEqual([
		'one node every 3.3s',
		'one node every 0.2s',
		'one node every 0.02s',
	]);
});

/** Three nodes that wait for their taints, and a pod on each. */
function threeWaiting(eviction: Range) {
	const names = ['n1', 'n2', 'n3'];
	const nodes = names.map((name) => aNodeForecast({name, verdict: 'Queued', ready: 'Unknown', taints: []}));
	const cause = {
		kind: 'Taint',
		taint: 'node.kubernetes.io/unreachable:NoExecute',
		tolerationSeconds: 60,
	} as const;
	const pods = names.map((node) =>
		aPodForecast({name: node, uid: node, node, verdict: 'Expected', eviction, cause}),
	);
	const taints = [inSeconds(10, 110), inSeconds(110, 210), inSeconds(210, 310)];
	return {nodes, pods, taints};
}

test('of nodes in random order one gets the last token, and the end is not told to come before its pods can go', () => {
	const {nodes, pods, taints} = threeWaiting(inSeconds(70, 400));
	const endWith = (known: readonly Range[], of = {nodes, pods}) =>
		endOfEvictions({...of, zones: [aZoneForecast({rate: 0.01, taints: known})]})?.earliest;
	expect(endWith(taints)).toBe(inSeconds(270).earliest);
	// A token beyond those that are listed comes at their pace.
	expect(endWith(taints.slice(0, 2))).toBe(inSeconds(270).earliest);
	expect(endWith([])).toBe(inSeconds(70).earliest);
	const tainted = nodes.map((node) => ({...node, taints: ['node.kubernetes.io/unreachable']}));
	expect(endWith(taints, {nodes: tainted, pods})).toBe(inSeconds(70).earliest);
});

test('the first of several nodes in random order is tainted by the first token, and its pods go after that', () => {
	const {nodes, pods, taints} = threeWaiting(inSeconds(70, 371));
	const startWith = (of: Partial<Parameters<typeof startOfEvictions>[0]>) =>
		startOfEvictions({nodes, pods, zones: [aZoneForecast({rate: 0.01, taints})], ...of});
	// Deletions may come a moment after their countdowns.
	expect(startWith({})).toMatchObject({earliest: inSeconds(70).earliest, latest: inSeconds(171.5).earliest});
	// A node without such pods may be first.
	expect(startWith({pods: pods.slice(1)})?.latest).toBe(inSeconds(271.5).earliest);
	// So may a late one, and nodes that lose their taints in the first pass of new controllers.
	const late = aNodeForecast({name: 'late', verdict: 'Late'});
	expect(startWith({nodes: [...nodes, late]})?.latest).toBe(inSeconds(271.5).earliest);
	expect(startWith({nodes: nodes.slice(2), pods: pods.slice(2)})?.latest).toBe(inSeconds(371).earliest);
	// No token is known, or all nodes are tainted: then the first pod's range is all that is known.
	expect(startWith({zones: [aZoneForecast({rate: 0.01, taints: []})]})?.latest).toBe(inSeconds(371).earliest);
	const tainted = nodes.map((node) => ({...node, taints: ['node.kubernetes.io/unreachable']}));
	expect(startWith({nodes: tainted})?.latest).toBe(inSeconds(371).earliest);
	expect(startWith({pods: []})).toBe(null);
});

test('the nodes in random order are those that wait beside others of their zone', () => {
	const {nodes, pods} = threeWaiting(inSeconds(70, 400));
	expect([...nodesInRandomOrder(pendingOf(pods), nodes)]).toEqual(['n1', 'n2', 'n3']);
	expect(nodesInRandomOrder(pendingOf(pods.slice(1, 2)), nodes).size).toBe(0);
	const apart = pods.map((pod) => ({...pod, zone: pod.node}));
	expect(nodesInRandomOrder(pendingOf(apart), nodes).size).toBe(0);
});
