import {expect, test} from 'vitest';
import type {ClusterSnapshot} from '../../../src/core/model/clusterSnapshot.ts';
import type {Pod} from '../../../src/core/model/pod.ts';
import {second} from '../../../src/core/time/instant.ts';
import {isWithin, namesOf, nodesIn, podOn, reasonOf, sceneOf, stopKubelets} from './scene.ts';

const editPod =
	(name: string, change: Partial<Pod>) =>
	(snapshot: ClusterSnapshot): ClusterSnapshot => ({
		...snapshot,
		pods: snapshot.pods.map((pod) => (pod.name === name ? {...pod, ...change} : pod)),
	});

const oneDies = {
	nodes: [...nodesIn('a', 3), ...nodesIn('b', 3)],
	pods: [podOn('a0', 'short', 60), podOn('a0', 'ever'), podOn('b0', 'well', 60)],
	steps: stopKubelets(20, 'a0'),
};

test('ToleratesForEver: the toleration that has no end is named, and the pod stays', () => {
	const scene = sceneOf(oneDies, {at: 100});
	const explanation = scene.explainPod('ever');
	expect(explanation).toMatchObject({verdict: 'Stays', eviction: null});
	expect(reasonOf(explanation, 'ToleratesForEver')).toMatchObject({
		effect: 'Prevents',
		what: 'it tolerates node.kubernetes.io/unreachable:NoExecute forever',
		evidence: [
			{
				object: 'pod/default/ever',
				field: 'spec.tolerations[1]',
				value: 'node.kubernetes.io/unreachable:NoExecute op=Exists',
				note: "for node.kubernetes.io/unreachable:NoExecute; the author's own",
			},
		],
	});
	expect(scene.future().has('delete default/ever')).toBe(false);
});

test('ToleratesForEver: of a DaemonSet, its controller gave the toleration', () => {
	const owner = {kind: 'DaemonSet', name: 'log', uid: 'uid-log'};
	const scene = sceneOf(oneDies, {at: 100, edit: editPod('ever', {owner})});
	expect(reasonOf(scene.explainPod('ever'), 'ToleratesForEver').evidence[0]?.note).toContain(
		'the DaemonSet controller gives it to each of its pods',
	);
});

const zoneFalls = {
	nodes: [...nodesIn('a', 4), ...nodesIn('b', 3)],
	pods: [podOn('a2', 'web', 60), podOn('a0', 'first', 60)],
	steps: [...stopKubelets(20, 'a0'), ...stopKubelets(30, 'a1'), ...stopKubelets(41, 'a2')],
};

test('ZoneStopped: by what, since when, what releases it; nothing goes while it lasts', () => {
	const scene = sceneOf(zoneFalls, {at: 120});
	const explanation = scene.explainPod('web');
	expect(explanation.verdict).toBe('Held');
	const {what, at, rule, evidence} = reasonOf(explanation, 'ZoneStopped');
	expect(what).toMatch(
		/^evictions in zone <none>\/a are stopped, as 3 of 4 nodes are not ready\. Evictions resume when 1 of its nodes recovers, or its last node fails too .*\. If they resumed now, the pod would be evicted between /,
	);
	expect(rule).toContain('unhealthy-zone-threshold=0.55');
	expect(rule).toContain('not more than large-cluster-size-threshold=50: no node is tainted');
	expect(evidence).toContainEqual(expect.objectContaining({field: 'not ready', value: 'a0, a1, a2'}));
	expect(explanation.held?.since).toBe(at);
	const future = scene.future();
	expect([future.has('delete default/web'), future.has('delete default/first')]).toEqual([false, true]);
});

test('ZoneStopped: it is dated by the node that stopped the zone, not by the last one to fall', () => {
	const falls = {
		...zoneFalls,
		nodes: [...nodesIn('a', 5), ...nodesIn('b', 3)],
		steps: [...zoneFalls.steps, ...stopKubelets(101, 'a3')],
	};
	const early = reasonOf(sceneOf(falls, {at: 120}).explainPod('web'), 'ZoneStopped').at;
	const late = sceneOf(falls, {at: 180}).explainPod('web');
	expect(reasonOf(late, 'ZoneStopped').what).toContain(
		'4 of 5 nodes are not ready. Evictions resume when 2 of its',
	);
	expect(reasonOf(late, 'ZoneStopped').at).toBe(early);
});

test.for([
	{name: 'a node comes back', step: {at: 120, do: 'start-kubelet' as const, node: 'a1'}},
	{name: 'its last node falls', step: {at: 65, do: 'stop-kubelet' as const, node: 'a3'}},
])('ZoneStopped: it is released when $name', ({step}) => {
	const scene = sceneOf({...zoneFalls, steps: [...zoneFalls.steps, step]}, {at: 119.9});
	const {held, verdict} = scene.explainPod('web');
	const deletedAt = scene.future().get('delete default/web');
	expect(deletedAt).toBeDefined();
	if (step.do === 'start-kubelet') {
		expect(verdict).toBe('Held');
		expect(isWithin(deletedAt, {at: held?.ifReleasedNow ?? null})).toBe(true);
	}
});

const allFall = {
	nodes: [...nodesIn('a', 2), ...nodesIn('b', 2)],
	pods: [podOn('a0', 'web', 60)],
	steps: stopKubelets(20, 'a0', 'a1', 'b0', 'b1'),
};

test('AllZonesDown: nothing goes, until a node of any zone is back', () => {
	const scene = sceneOf(allFall, {at: 100});
	const explanation = scene.explainPod('web');
	const reason = reasonOf(explanation, 'AllZonesDown');
	expect(explanation.verdict).toBe('Held');
	expect(reason.what).toContain('Evictions resume when any node recovers');
	expect(isWithin(70 * second, {at: reason.at}, 6 * second)).toBe(true);
	expect(scene.future().has('delete default/web')).toBe(false);
});

test('AllZonesDown: released now, the first goes when it says', () => {
	const steps = [...allFall.steps, {at: 100, do: 'start-kubelet' as const, node: 'b0'}];
	const scene = sceneOf({...allFall, steps}, {at: 99.9});
	const {held} = scene.explainPod('web');
	expect(isWithin(scene.future().get('delete default/web'), {at: held?.ifReleasedNow ?? null})).toBe(true);
});

const largeFalls = {
	...allFall,
	nodes: [...nodesIn('a', 4), ...nodesIn('b', 2)],
	steps: stopKubelets(20, 'a0', 'a1', 'a2', 'a3', 'b0', 'b1'),
};

test.for([
	{back: ['a1'], isReleased: false},
	{back: ['a1', 'a2'], isReleased: true},
	{back: ['b0'], isReleased: true},
])('AllZonesDown: $back back releases a pod of a0: $isReleased, as said', ({back, isReleased}) => {
	const restarts = back.map((node) => ({at: 100, do: 'start-kubelet' as const, node}));
	const scene = sceneOf({...largeFalls, steps: [...largeFalls.steps, ...restarts]}, {at: 99.9});
	expect(scene.explainPod('web').held?.releasedBy).toBe(
		'a node of another zone recovers, or 2 nodes of this zone do',
	);
	expect(scene.future().has('delete default/web')).toBe(isReleased);
});

test('ZoneStopped: where all other zones are down, the loss of its last node is not said to release it', () => {
	const steps = stopKubelets(20, 'a0', 'a1', 'a2', 'b0', 'b1', 'b2');
	const {held} = sceneOf({...zoneFalls, steps}, {at: 120}).explainPod('web');
	expect(held?.releasedBy).toBe('1 of its nodes recovers');
});

const leaderSilentSince = (at: number) => (snapshot: ClusterSnapshot) => ({
	...snapshot,
	leases: snapshot.leases?.map((lease) =>
		lease.namespace === 'kube-system' ? {...lease, renewTime: at * second} : lease,
	),
});

test('ControllerDown: since the leader lease was last renewed; nothing goes without one', () => {
	const steps = [...oneDies.steps, {at: 40, do: 'stop-controllers' as const}];
	const scene = sceneOf({...oneDies, steps}, {at: 100, edit: leaderSilentSince(40)});
	const explanation = scene.explainPod('short');
	expect(explanation.verdict).toBe('Held');
	expect(reasonOf(explanation, 'ControllerDown')).toMatchObject({
		at: 40 * second,
		effect: 'Prevents',
		what: expect.stringMatching(
			/no controller manager runs.*Evictions resume when a controller manager takes the lease/,
		),
		evidence: [{object: 'lease/kube-system/kube-controller-manager', field: 'spec.renewTime'}],
	});
	expect(scene.future().has('delete default/short')).toBe(false);
});

test('ControllerDisabled: nodes get their taints, and pods stay', () => {
	const scene = sceneOf(oneDies, {at: 100, settings: {taintEviction: false}});
	const explanation = scene.explainPod('short');
	expect(explanation).toMatchObject({verdict: 'Stays', eviction: null});
	expect(reasonOf(explanation, 'ControllerDisabled').rule).toContain(
		'controllers=-taint-eviction-controller',
	);
	expect(scene.explain({kind: 'node', name: 'a0'}).verdict).toBe('Tainted');
});

test('AlreadyTerminating: on a silent node it is named what ends it', () => {
	const scene = sceneOf(oneDies, {at: 200});
	const explanation = scene.explainPod('short');
	expect(explanation.verdict).toBe('Terminating');
	expect(namesOf(explanation, 'Prevents')).toEqual(['AlreadyTerminating']);
	expect(reasonOf(explanation, 'AlreadyTerminating').what).toMatch(
		/its kubelet is silent.*until the kubelet is back, the Node object is deleted, .*out-of-service.*by force/,
	);
});

test('AlreadyTerminating: on a node that is well, its kubelet ends it', () => {
	const change = {deletionTimestamp: 130 * second, deletionGracePeriodSeconds: 30};
	const scene = sceneOf(oneDies, {at: 105, edit: editPod('well', change)});
	const reason = reasonOf(scene.explainPod('well'), 'AlreadyTerminating');
	expect(reason.what).toContain('its kubelet ends it within its grace period');
	expect(reason.evidence[0]?.note).toBe('asked for 30s earlier, at 1970-01-01T00:01:40Z');
});

test('AlreadyTerminating: the object of a static pod is made again at once by its kubelet, which runs it', () => {
	const change = {deletionTimestamp: 130 * second, deletionGracePeriodSeconds: 30, isMirror: true};
	const scene = (at: number) => sceneOf(oneDies, {at, edit: editPod('well', change)});
	const what = (at: number) => reasonOf(scene(at).explainPod('well'), 'AlreadyTerminating').what;
	expect(what(105)).toContain('its kubelet removes this object of a static pod, and makes it again at once');
	expect(what(200)).toContain('its kubelet should have made it again at once, and has not');
});

test('NodeWell', () => {
	const explanation = sceneOf(oneDies, {at: 100}).explainPod('well');
	expect(explanation).toMatchObject({
		verdict: 'Safe',
		summary: 'Nothing evicts the pod: node b0 is ready and carries no NoExecute taint.',
	});
	expect(namesOf(explanation, 'Prevents')).toEqual(['NodeWell']);
});

test('OnlyNoSchedule: a cordoned node evicts nobody', () => {
	const steps = [{at: 20, do: 'cordon' as const, node: 'b0'}];
	const scene = sceneOf({...oneDies, steps}, {at: 100});
	const reason = reasonOf(scene.explainPod('well'), 'OnlyNoSchedule');
	expect(reason).toMatchObject({
		effect: 'Prevents',
		what: 'node b0 is ready, and node.kubernetes.io/unschedulable:NoSchedule evicts nobody',
		rule: expect.stringContaining('only taints with the effect NoExecute evict'),
		evidence: [{object: 'node/b0', field: 'spec.taints[0]'}],
	});
	expect(scene.future().has('delete default/well')).toBe(false);
});

test('NodeReturned: the taint goes with the next pass, and the countdown with it', () => {
	const steps = [...oneDies.steps, {at: 101, do: 'start-kubelet' as const, node: 'a0'}];
	const scene = sceneOf({...oneDies, steps}, {at: 101.2, watchFrom: 30});
	const explanation = scene.explainPod('short');
	expect(reasonOf(explanation, 'NodeReturned').effect).toBe('Prevents');
	expect(explanation.eviction).toBeNull();
	const step = explanation.steps.find(({what}) => what.includes('removes the taint of node a0'));
	const future = scene.future();
	expect(isWithin(future.get('untaint a0'), {at: step?.at ?? null})).toBe(true);
	expect(future.has('delete default/short')).toBe(false);
});

test('StaticPod: what is deleted is only its mirror', () => {
	const explanation = sceneOf(oneDies, {at: 100, edit: editPod('ever', {isMirror: true})}).explainPod('ever');
	expect(namesOf(explanation, 'Prevents')).toEqual(['ToleratesForEver', 'StaticPod']);
	expect(reasonOf(explanation, 'StaticPod').rule).toContain('only the mirror is deleted');
});

test('NotBound', () => {
	const explanation = sceneOf(oneDies, {at: 100, edit: editPod('well', {nodeName: ''})}).explainPod('well');
	expect(explanation.summary).toBe('Nothing evicts the pod: it is not bound to a node.');
	expect(namesOf(explanation, 'Prevents')).toEqual(['NotBound']);
});

test('NodeReturned: one look cannot tell since when the countdown runs, so that it only may', () => {
	const steps = [...oneDies.steps, {at: 101, do: 'start-kubelet' as const, node: 'a0'}];
	const explanation = sceneOf({...oneDies, steps}, {at: 101.2}).explainPod('short');
	expect(reasonOf(explanation, 'NodeReturned').effect).toBe('MayPrevent');
});

const lastZoneFalls = (seconds: number) => ({
	nodes: [...nodesIn('a', 1), ...nodesIn('b', 1)],
	pods: [podOn('a0', 'web', seconds)],
	steps: [...stopKubelets(20, 'a0'), ...stopKubelets(45, 'b0')],
});

test('Undecided: whether the countdown ends before the pass that stops it cannot be seen', () => {
	const outcomes = [29, 30].map((seconds) => {
		const scene = sceneOf(lastZoneFalls(seconds), {at: 80});
		const explanation = scene.explainPod('web');
		expect(explanation).toMatchObject({verdict: 'Unsure', eviction: {latest: null}});
		expect(namesOf(explanation, 'MayPrevent')).toEqual(['Undecided']);
		expect(reasonOf(explanation, 'Undecided').what).toBe(
			'the taint of node a0 may be removed, which cancels the countdown; the API does not show whether the countdown ends before that',
		);
		return scene.future().has('delete default/web');
	});
	expect(outcomes).toEqual([true, false]);
});

test('AllZonesDown: it is foreseen that the last zone falls before the countdown ends', () => {
	const scene = sceneOf(lastZoneFalls(40), {at: 80});
	const reason = reasonOf(scene.explainPod('web'), 'AllZonesDown');
	expect(reason.what).toMatch(/^every zone is about to be down/);
	const future = scene.future();
	expect(isWithin(future.get('untaint a0'), reason)).toBe(true);
	expect(future.has('delete default/web')).toBe(false);
});

test('without leases and leader lease, it is said what is taken for granted', () => {
	const unread = (snapshot: ClusterSnapshot) => ({...snapshot, leases: undefined});
	const {assumptions} = sceneOf(oneDies, {at: 100, edit: unread}).explainPod('short');
	expect(assumptions.join()).toContain('the leases of kube-node-lease cannot be read');
	expect(assumptions.join()).toContain('its leader lease kube-system/kube-controller-manager cannot be seen');
});

test('FinishedPod: one that its kubelet evicted is not told as one that is well', () => {
	for (const name of ['well', 'ever']) {
		const evicted = {phase: 'Failed', disruptedBy: 'TerminationByKubelet'} as const;
		const scene = sceneOf(oneDies, {at: 100, edit: editPod(name, evicted)});
		const what = 'its kubelet evicted it already; it is Failed, and its object stays until it is deleted';
		expect(reasonOf(scene.explainPod(name), 'FinishedPod')).toMatchObject({effect: 'Prevents', what});
	}
	const ended = sceneOf(oneDies, {at: 100, edit: editPod('well', {phase: 'Succeeded'})});
	expect(reasonOf(ended.explainPod('well'), 'FinishedPod').what).toBe(
		'it has ended: it is Succeeded; its object stays until it is deleted',
	);
});

test('Undecided: whether a node is tainted before its zone stops cannot be seen, and that is said first', () => {
	const zone = {
		nodes: [...nodesIn('a', 4), ...nodesIn('b', 3)],
		pods: [podOn('a2', 'web', 60)],
		steps: [...stopKubelets(20, 'a0'), ...stopKubelets(20, 'a1'), ...stopKubelets(50, 'a2')],
	};
	const explanation = sceneOf(zone, {at: 75}).explainPod('web');
	expect(explanation.verdict).toBe('Unsure');
	expect(reasonOf(explanation, 'Undecided').what).toBe(
		'zone <none>/a is about to stop its evictions, and the API does not show whether node a2 gets its NoExecute taint before that',
	);
	expect(explanation.summary).toMatch(/^The pod may be deleted .*\. Zone <none>\/a is about to stop/);
});

test('AlreadyTerminating: who deleted the pod, and nothing that came after that', () => {
	const grace = {deletionGracePeriodSeconds: 30};
	const at = (seconds: number) => ({...grace, deletionTimestamp: seconds * second});
	const stepsOf = (now: number, change: Partial<Pod>) => {
		const {steps, isStuck} = sceneOf(oneDies, {at: now, edit: editPod('short', change)}).explainPod('short');
		expect(isStuck).toBe(true);
		return steps.map(({what}) => what);
	};
	expect(stepsOf(160, {...at(155), evictedAt: 125 * second})).toEqual([
		'the kubelet of node a0 renewed its lease for the last time',
		expect.stringContaining('set Ready of node a0 to Unknown'),
		expect.stringContaining('node a0 got the taint'),
		'the pod tolerates node.kubernetes.io/unreachable:NoExecute for 60s (tolerationSeconds)',
		expect.stringContaining("the pod's countdown of 60s began"),
		'the taint-eviction controller deleted the pod, with a grace period of 30s',
	]);
	// Its node was tainted again since the deletion began; a countdown of that taint would have ended later.
	expect(stepsOf(160, {...at(120), evictedAt: 90 * second})).toEqual([
		'the kubelet of node a0 renewed its lease for the last time',
		expect.stringContaining('set Ready of node a0 to Unknown'),
		expect.stringContaining('node a0 got the taint'),
		'the taint-eviction controller deleted the pod, with a grace period of 30s',
	]);
	expect(stepsOf(100, at(60))).toEqual([
		'the kubelet of node a0 renewed its lease for the last time',
		'the pod was deleted, with a grace period of 30s',
	]);
});

test('Undecided: a zone that is stopped already is not about to stop', () => {
	const falls = {...zoneFalls, steps: [...zoneFalls.steps, ...stopKubelets(95, 'a3')]};
	const explanation = sceneOf(falls, {at: 106}).explainPod('web');
	expect(explanation.verdict).toBe('Unsure');
	expect(reasonOf(explanation, 'Undecided').what).toBe(
		'it depends on the state of the controllers, which the API does not show',
	);
});
