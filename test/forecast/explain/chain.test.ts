import {expect, test} from 'vitest';
import type {ClusterSnapshot} from '../../../src/core/model/clusterSnapshot.ts';
import {second} from '../../../src/core/time/instant.ts';
import {isWithin, nodesIn, podOn, sceneOf, stepOf, stopKubelets} from './scene.ts';

const oneDies = {
	nodes: [...nodesIn('a', 3), ...nodesIn('b', 3)],
	pods: [podOn('a0', 'web', 300)],
	steps: stopKubelets(20, 'a0'),
};

test('a silent node: from its last renewal over the pass that saw it to Unknown, taint and deletion', () => {
	const scene = sceneOf(oneDies, {at: 45});
	const explanation = scene.explainPod('web');
	expect(explanation.verdict).toBe('Expected');
	expect(explanation.steps.map(({what}) => what)).toEqual([
		'the kubelet of node a0 renewed its lease for the last time',
		'a monitor pass saw that, and the grace period began',
		'a monitor pass finds the grace period over and sets Ready of node a0 to Unknown (node-monitor-grace-period=50s)',
		'node a0 gets the taint node.kubernetes.io/unreachable:NoExecute',
		'the pod tolerates node.kubernetes.io/unreachable:NoExecute for 300s (tolerationSeconds)',
		'the taint-eviction controller deletes the pod',
	]);
	const probed = scene.player.simulation.controllers?.lifecycle.health.get('a0')?.probeTimestamp;
	expect(isWithin(probed, stepOf(explanation, /the grace period began/), 1)).toBe(true);
	const future = scene.future();
	expect(isWithin(future.get('a0 Unknown'), stepOf(explanation, /sets Ready of node a0/))).toBe(true);
	expect(isWithin(future.get('taint a0'), stepOf(explanation, /gets the taint/))).toBe(true);
	expect(isWithin(future.get('delete default/web'), stepOf(explanation, /controller deletes the pod/))).toBe(
		true,
	);
});

test('the steps of a forecast are those of its explanation', () => {
	const scene = sceneOf(oneDies, {at: 45});
	const {because} = scene.forecaster.forecast(scene.now).pods[0] ?? {because: []};
	const {steps} = scene.explainPod('web');
	expect(because.length).toBe(5);
	for (const [index, sentence] of because.entries()) expect(sentence).toContain(steps[index]?.what);
	expect(because[0]).toBe('at 00:00:10Z the kubelet of node a0 renewed its lease for the last time');
});

test('the pass that saw a renewal is where the step says, whatever its phase', () => {
	const wrong = Array.from({length: 60}, (_, index) => {
		const stopAt = 12 + index * 0.37;
		const scene = sceneOf({...oneDies, steps: stopKubelets(stopAt, 'a0')}, {at: stopAt + 30});
		const probed = scene.player.simulation.controllers?.lifecycle.health.get('a0')?.probeTimestamp;
		const step = stepOf(scene.explainPod('web'), /the grace period began/);
		return isWithin(probed, step, 1) ? [] : [{stopAt, probed, at: step.at}];
	}).flat();
	expect(wrong).toEqual([]);
});

test('a node that is tainted: when it turned Unknown, who tainted it, which toleration, since when it counts down', () => {
	const scene = sceneOf(oneDies, {at: 100});
	const explanation = scene.explainPod('web');
	expect(explanation.verdict).toBe('Scheduled');
	expect(stepOf(explanation, /^a monitor pass set Ready of node a0 to Unknown/).evidence).toMatchObject([
		{object: 'node/a0', field: 'status.conditions[Ready].lastTransitionTime'},
	]);
	const taint = stepOf(explanation, /^node a0 got the taint/);
	expect(taint.evidence[0]).toMatchObject({
		field: 'spec.taints[1]',
		value: 'node.kubernetes.io/unreachable:NoExecute',
		note: expect.stringContaining('timeAdded 1970-01-01T00:01:05Z'),
	});
	expect(taint.rule).toContain('node-eviction-rate=0.1 allows one node every 10s');
	const countdown = stepOf(
		explanation,
		/the pod's countdown of 300s began \(known from: the taint's own time\)/,
	);
	expect(isWithin(65 * second, countdown)).toBe(true);
	expect(stepOf(explanation, /^the pod tolerates/).evidence[0]).toMatchObject({
		field: 'spec.tolerations[1]',
		value: 'node.kubernetes.io/unreachable:NoExecute op=Exists for 300s',
		note: expect.stringContaining('looks injected by the admission plugin DefaultTolerationSeconds'),
	});
});

test('where the settings come from, and what the API server injects, is said where it is known', () => {
	const source = {kind: 'staticPod', detail: 'pod kube-system/kube-controller-manager-cp1'} as const;
	const settings = [
		{name: 'node-monitor-period', unit: 'duration', value: 5000, source},
		{name: 'node-eviction-rate', unit: 'number', value: 0.1, source},
	] as const;
	const defaultTolerationSeconds = {notReady: 30, unreachable: 30};
	const explanation = sceneOf(oneDies, {at: 100}).explainPod('web', {settings, defaultTolerationSeconds});
	expect(explanation.assumptions[1]).toBe(
		'the controllers follow the rules of v1.36.3, with node-monitor-period=5s, node-eviction-rate=0.1 (pod kube-system/kube-controller-manager-cp1)',
	);
	expect(stepOf(explanation, /^the pod tolerates/).evidence[0]?.note).toContain("the author's own");
});

test('one look cannot rule out that a countdown from before runs still', () => {
	// First not ready, by its kubelet's status, and silent later: one taint was swapped for the other.
	const condition = {type: 'Ready', status: 'False' as const, reason: 'KubeletNotReady'};
	const steps = [...oneDies.steps, {at: 19, do: 'set-condition' as const, node: 'a0', condition}];
	const scene = sceneOf({...oneDies, steps}, {at: 100});
	const explanation = scene.explainPod('web');
	expect(stepOf(explanation, /the pod's countdown of \S+ began/).rule).toContain(
		'one look cannot tell, a watch can',
	);
	const step = stepOf(explanation, /controller deletes the pod/);
	expect(isWithin(scene.future().get('delete default/web'), step)).toBe(true);
});

test('a countdown that runs is kept when tolerations change', () => {
	const tolerations = podOn('a0', 'web', 30).tolerations ?? [];
	const steps = [...oneDies.steps, {at: 90, do: 'set-tolerations' as const, pod: 'default/web', tolerations}];
	const scene = sceneOf({...oneDies, steps}, {at: 100, watchFrom: 30});
	const explanation = scene.explainPod('web');
	expect(stepOf(explanation, /the pod's countdown of 300s began/).rule).toMatch(
		/^a countdown that runs is kept/,
	);
	const step = stepOf(explanation, /controller deletes the pod/);
	expect(isWithin(scene.future().get('delete default/web'), step)).toBe(true);
});

test.for([
	{seconds: undefined, what: 'the pod does not tolerate gpu:NoExecute, and is evicted at once'},
	{seconds: 0, what: 'the pod tolerates gpu:NoExecute for 0s (tolerationSeconds)'},
])('a taint that is not tolerated ($seconds s)', ({seconds, what}) => {
	const tolerations =
		seconds === undefined ? [] : [{key: 'gpu', operator: 'Exists', tolerationSeconds: seconds}];
	const taint = {key: 'gpu', effect: 'NoExecute' as const};
	const pods = [{name: 'web', node: 'a0', tolerations}];
	const steps = [{at: 30.01, do: 'add-taint' as const, node: 'a0', taint}];
	const fields = {...oneDies, pods, steps};
	// Before the controller has handled it.
	const explanation = sceneOf(fields, {at: 30.01}).explainPod('web');
	expect(stepOf(explanation, /^the pod (does not )?tolerate/).what).toBe(what);
	expect(sceneOf(fields, {at: 29}).future().get('delete default/web')).toBeCloseTo(30.01 * second, -2);
});

test('a user who tainted the node is named, as far as managedFields tell', () => {
	const taint = {key: 'gpu', effect: 'NoExecute' as const};
	const steps = [{at: 30, do: 'add-taint' as const, node: 'a0', taint}];
	const pods = [
		{name: 'web', node: 'a0', tolerations: [{key: 'gpu', operator: 'Exists', tolerationSeconds: 90}]},
	];
	const taintWrites = [{manager: 'kubectl-taint', operation: 'Update', time: 30 * second}];
	const edit = (snapshot: ClusterSnapshot) => ({
		...snapshot,
		nodes: snapshot.nodes.map((node) => (node.name === 'a0' ? {...node, taintWrites} : node)),
	});
	const scene = sceneOf({...oneDies, pods, steps}, {at: 60, edit});
	const explanation = scene.explainPod('web');
	const {at, evidence} = stepOf(
		explanation,
		/got the taint gpu:NoExecute, but not from the node lifecycle controller/,
	);
	expect(at).toBeNull();
	expect(evidence).toMatchObject([
		{note: 'no timeAdded'},
		{
			value: 'kubectl-taint',
			note: 'wrote the node last at 1970-01-01T00:00:30Z (Update): the taints are not newer',
		},
	]);
	const step = stepOf(explanation, /controller deletes the pod/);
	expect(isWithin(scene.future().get('delete default/web'), step)).toBe(true);
});

test("a kubelet's clock that is wrong shows against the API server's", () => {
	const edit = (snapshot: ClusterSnapshot) => ({
		...snapshot,
		leases: snapshot.leases?.map((lease) =>
			lease.name === 'a0'
				? {
						...lease,
						renewTime: (lease.renewTime ?? 0) + 120 * second,
						writes: [{manager: 'kubelet', operation: 'Update', time: 10 * second}],
					}
				: lease,
		),
	});
	const step = stepOf(sceneOf(oneDies, {at: 45, edit}).explainPod('web'), /renewed its lease/);
	expect(step.at).toMatchObject({earliest: 10 * second, latest: 11 * second});
	expect(step.evidence).toMatchObject([
		{field: 'spec.renewTime', value: '1970-01-01T00:02:10.250Z'},
		{
			field: 'metadata.managedFields[*].time',
			value: '1970-01-01T00:00:10Z/1970-01-01T00:00:11Z',
			note: "the API server's clock, truncated to seconds; the kubelet's clock is 2m0s ahead",
		},
	]);
});

test('a kubelet that says itself that it is not ready gets no grace', () => {
	const condition = {type: 'Ready', status: 'False' as const, reason: 'KubeletNotReady'};
	const steps = [{at: 30.2, do: 'set-condition' as const, node: 'a0', condition}];
	const scene = sceneOf({...oneDies, steps}, {at: 31});
	const explanation = scene.explainPod('web');
	expect(stepOf(explanation, /reported that it is not ready \(KubeletNotReady\)/).rule).toContain('no grace');
	const taint = stepOf(explanation, /node a0 gets the taint node.kubernetes.io\/not-ready:NoExecute/);
	expect(isWithin(scene.future().get('taint a0'), taint)).toBe(true);
});

test('controllers that start again begin every countdown anew', () => {
	const steps = [
		...oneDies.steps,
		{at: 100, do: 'stop-controllers' as const},
		{at: 110, do: 'start-controllers' as const},
	];
	const edit = (snapshot: ClusterSnapshot) => ({
		...snapshot,
		leases: snapshot.leases?.map((lease) =>
			lease.namespace === 'kube-system' ? {...lease, acquireTime: 110 * second} : lease,
		),
	});
	const scene = sceneOf({...oneDies, steps}, {at: 130, edit});
	const explanation = scene.explainPod('web');
	const restart = stepOf(
		explanation,
		/^a controller manager took over: every grace period and every countdown/,
	);
	expect(restart.at).toBe(110 * second);
	expect(explanation.summary).toMatch(
		/^A controller manager took over at .*, and the countdown began again: the pod is deleted .*, 300s after the taint/,
	);
	expect(restart.evidence).toMatchObject([{field: 'spec.acquireTime', note: 'held by control-plane'}]);
	const words = explanation.steps.map(({what}) => what);
	expect(words.indexOf(restart.what)).toBe(2);
	const step = stepOf(explanation, /controller deletes the pod/);
	expect(isWithin(scene.future().get('delete default/web'), step)).toBe(true);
});

test.for([82, 91, 105])(
	'the taint of a node that falls silent while it is not ready is swapped, seen at %d s',
	(at) => {
		const notReady = {do: 'set-condition', node: 'a0', condition: {type: 'Ready', status: 'False'}} as const;
		const tolerations = [{key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute'}];
		const longer = {...tolerations[0], key: 'node.kubernetes.io/unreachable', tolerationSeconds: 60};
		const scene = sceneOf(
			{
				...oneDies,
				pods: [
					{...podOn('a0', 'web', 300), tolerations},
					{...podOn('a0', 'cni', 300), tolerations: [...tolerations, longer]},
				],
				steps: [{at: 20, ...notReady}, ...stopKubelets(60, 'a0')],
			},
			{at},
		);
		const future = scene.future();
		for (const name of ['web', 'cni']) {
			const {verdict, eviction} = scene.explainPod(name);
			expect(verdict).toBe('Expected');
			expect(isWithin(future.get(`delete default/${name}`), {at: eviction}, 1)).toBe(true);
		}
	},
);
