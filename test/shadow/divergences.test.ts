import {expect, test} from 'vitest';
import {systemTiming} from '../../src/async/timing.ts';
import type {Observation} from '../../src/core/model/observation.ts';
import type {Pod} from '../../src/core/model/pod.ts';
import type {Simulation} from '../../src/core/simulation/simulation.ts';
import {second} from '../../src/core/time/instant.ts';
import type {Divergence} from '../../src/shadow/compare/divergence.ts';
import {runShadow} from '../support/shadowRun.ts';
import {aScenario, aScenarioPod, denied} from '../support/shadowScenario.ts';

const dies = {at: 20, do: 'stop-kubelet', node: 'a0'} as const;
const wordsOf = ({kind, action, object, reason, isAlarm}: Divergence): string =>
	`${isAlarm ? 'alarm' : 'note'} ${kind} ${action} ${object.name} ${reason}`;

test('with the right settings all that comes is as foretold', () => {
	const {divergences, matches, view} = runShadow(
		aScenario([dies, {at: 150, do: 'start-kubelet', node: 'a0'}], {until: 170}),
	);
	expect(divergences).toEqual([]);
	expect(matches.map(({action}) => action)).toEqual(['SetUnknown', 'TaintNode', 'DeletePod', 'UntaintNode']);
	expect(matches.every(({isInside}) => isInside)).toBe(true);
	expect(view?.divergenceCounts).toEqual({Late: 0, Early: 0, Missing: 0, Unexpected: 0});
	expect(view?.controller).toMatchObject({isUp: true, leader: 'control-plane'});
});

test('controllers that are away are missed, with the lease for a witness', () => {
	const {divergences, view} = runShadow(aScenario([dies, {at: 40, do: 'stop-controllers'}], {until: 110}));
	expect(divergences.map(wordsOf)).toEqual(['alarm Missing SetUnknown a0 ControllerDown']);
	expect(divergences[0]?.because[0]).toMatch(/No controller manager renewed its lease since/);
	expect(divergences[0]).toMatchObject({actual: null, endedAt: null, expected: {latest: expect.any(Number)}});
	expect(view?.controller.isUp).toBe(false);
});

test('where controllers elect no leader, a lease that is left over is no witness', () => {
	const {divergences, view} = runShadow(aScenario([dies, {at: 40, do: 'stop-controllers'}], {until: 210}), {
		assumed: {leaderElection: false},
	});
	expect(divergences.map(wordsOf)).toEqual(['alarm Missing SetUnknown a0 Unexplained']);
	expect(view?.controller.isUp).toBeNull();
});

test('what was missing while no controllers ran is late once they are back', () => {
	const steps = [dies, {at: 40, do: 'stop-controllers'}, {at: 90, do: 'start-controllers'}] as const;
	const {divergences, reported, view} = runShadow(aScenario(steps, {until: 165}));
	const ofNode = reported.filter(({action}) => action === 'SetUnknown');
	expect(ofNode.map(wordsOf)).toEqual([
		'alarm Missing SetUnknown a0 ControllerDown',
		'alarm Late SetUnknown a0 ControllerDown',
	]);
	expect(new Set(ofNode.map(({id}) => id)).size).toBe(1);
	expect(divergences.find(({action}) => action === 'SetUnknown')?.endedAt).not.toBeNull();
	expect(view?.divergenceCounts).toMatchObject({Missing: 1, Late: 1});
});

test('a restart puts countdowns off, which is no alarm', () => {
	const steps = [dies, {at: 85, do: 'stop-controllers'}, {at: 88, do: 'start-controllers'}] as const;
	const {divergences} = runShadow(aScenario(steps));
	expect(divergences.every(({isAlarm}) => !isAlarm)).toBe(true);
});

test.for<{name: string; real: object; want: string; victims?: number}>([
	{
		name: 'a shorter grace period',
		real: {nodeMonitorGracePeriod: 30},
		want: 'alarm Early SetUnknown a0 Unexplained',
	},
	{
		name: 'a longer grace period',
		real: {nodeMonitorGracePeriod: 80},
		want: 'alarm Late SetUnknown a0 Unexplained',
	},
	{
		name: 'a faster rate',
		real: {nodeEvictionRate: 0.5},
		want: 'alarm Early TaintNode a. Unexplained',
		victims: 2,
	},
	{
		name: 'a rate that is faster than forecasts are made',
		real: {nodeEvictionRate: 4},
		want: 'alarm Early TaintNode a. Unexplained',
		victims: 2,
	},
	{
		name: 'a slower rate',
		real: {nodeEvictionRate: 0.03},
		want: 'alarm Late TaintNode a. Unexplained',
		victims: 2,
	},
])('$name shows, and no reason is guessed', ({real, want, victims = 1}) => {
	const steps = [0, 1, 2]
		.slice(0, victims)
		.map((index) => ({at: 20, do: 'stop-kubelet', node: `a${index}`}) as const);
	const {divergences} = runShadow(aScenario(steps, {...real, until: 150}), {
		assumed: {nodeMonitorGracePeriod: 50_000, nodeEvictionRate: 0.1},
	});
	expect(divergences.map(wordsOf).join('\n')).toMatch(new RegExp(want));
});

test.for([
	{delay: 3, want: []},
	{delay: 12, want: ['alarm Late DeletePod web Unexplained']},
])('a deletion that began in time and took the API server $delay s: $want', ({delay, want}) => {
	let deleted: {readonly pod: Pod; readonly at: number} | undefined;
	const seenAs = (observation: Observation, now: number): readonly Observation[] => {
		if (observation.type === 'podApplied' && observation.pod.deletionTimestamp !== undefined && !deleted) {
			const {deletionTimestamp: _, ...marked} = observation.pod;
			deleted = {pod: observation.pod, at: now};
			return [{type: 'podApplied', pod: marked}];
		}
		if (observation.type === 'podDeleted') return [];
		const isDue = deleted && now >= deleted.at + delay * second && now < deleted.at + (delay + 5) * second;
		return isDue && deleted ? [{type: 'podApplied', pod: deleted.pod}, observation] : [observation];
	};
	const {divergences, matches} = runShadow(aScenario([dies], {until: 260}), {seenAs});

	expect(divergences.map(wordsOf)).toEqual(want);
	expect(matches.at(-1)).toMatchObject({action: 'DeletePod', isInside: false});
});

const manyPods = Array.from({length: 14}, (_, index) => aScenarioPod(`web-${index}`, 'a0'));

test('deletions that a throttled client delays are late', () => {
	const real = {kubeApiQps: 2, kubeApiBurst: 2, pods: manyPods, until: 220};
	const {divergences} = runShadow(aScenario([dies], real), {assumed: {kubeApiQps: 1000, kubeApiBurst: 1000}});
	expect(divergences.map(wordsOf)).toContain('alarm Late DeletePod web-13 Unexplained');
});

test('a deletion that is denied is told, the same by each life of a shadow', () => {
	const lives = [5, 130].map((startsAt) =>
		runShadow(aScenario([dies], {until: 260}), {seenAs: denied, startsAt}),
	);
	const told = lives.map(({divergences}) => divergences.filter(({action}) => action === 'DeletePod'));
	for (const life of told) expect(life.map(wordsOf)).toEqual(['alarm Missing DeletePod web DeletionDenied']);
	expect(new Set(told.flat().map(({id}) => id)).size).toBe(1);
	expect(told[0]?.[0]?.because.join(' ')).toContain('kubernetes/kubernetes#140639');
});

const own = {key: 'node.kubernetes.io/unreachable', effect: 'NoExecute'} as const;

test("the controllers' own taint from somebody else is an alarm: pods go for it", () => {
	const {divergences} = runShadow(
		aScenario([{at: 30.5, do: 'add-taint', node: 'b1', taint: own}], {until: 60}),
	);
	expect(divergences.map(wordsOf)).toEqual(['alarm Unexpected TaintNode b1 ForeignTaint']);
});

test("a pod that goes at once for somebody's taint is told, and is no alarm", () => {
	const taint = {key: 'maintenance', effect: 'NoExecute'} as const;
	const {divergences} = runShadow(aScenario([{at: 30, do: 'add-taint', node: 'a0', taint}], {until: 60}));
	expect(divergences.map(wordsOf)).toEqual(['note Unexpected DeletePod web ForeignTaint']);
	expect(divergences[0]?.because[0]).toContain('maintenance:NoExecute');
});

test("somebody's taint is told of all nodes alike, of those too that were to lose their pods", () => {
	const taint = {key: 'maintenance', effect: 'NoExecute'} as const;
	const taints = ['a0', 'b1'].map((node) => ({at: 90, do: 'add-taint', node, taint}) as const);
	const pods = [aScenarioPod('web', 'a0', 300), aScenarioPod('shop', 'b1', 300)];
	const {divergences} = runShadow(aScenario([dies, ...taints], {until: 110, pods}));
	expect(divergences.map(wordsOf).toSorted()).toEqual([
		'note Unexpected DeletePod shop ForeignTaint',
		'note Unexpected DeletePod web ForeignTaint',
	]);
});

test('all that is missing while nobody runs the controllers alarms, though all watches were opened anew', () => {
	const pods = [0, 1, 2, 3, 4, 5].map((index) => aScenarioPod(`web-${index}`, 'a0', 30 + 2 * index));
	const {divergences} = runShadow(aScenario([dies, {at: 80, do: 'stop-controllers'}], {until: 150, pods}), {
		gaps: [{from: 106, until: 109}],
	});
	expect(divergences.map(wordsOf).toSorted()).toEqual(
		pods.map(({name}) => `alarm Missing DeletePod ${name} ControllerDown`),
	);
});

const evict = (name: string) => (simulation: Simulation) => {
	const pod = simulation.state.pod(`default/${name}`);
	if (!pod) throw new Error(`there is no pod ${name}`);
	const {now} = simulation;
	const marked = {evictedAt: now, isDisruptionTarget: true, deletionTimestamp: now + 30_000};
	simulation.observe({type: 'podApplied', pod: {...pod, ...marked}});
};

test('a pod that is deleted though nothing is wrong with its node is unexplained', () => {
	const steps = [dies, {at: 85.2, do: 'start-kubelet', node: 'a0'}] as const;
	const {divergences} = runShadow(aScenario(steps, {pods: [aScenarioPod('web', 'a0', 60)], until: 250}), {
		interventions: [{at: 110, do: evict('web')}],
	});
	expect(divergences.map(wordsOf)).toEqual(['alarm Unexpected DeletePod web Unexplained']);
});

test('a pod whose name was evicted before, and that stays, is told', () => {
	const again = {...aScenarioPod('web', 'a0'), node: 'a0'};
	const steps = [
		dies,
		{at: 112, do: 'delete-pod', pod: 'default/web'},
		{at: 113, do: 'add-pod', podSpec: again},
	] as const;
	let lives = 0;
	const seenAs = (observation: Observation, now: number): readonly Observation[] => {
		if (observation.type === 'podApplied' && now > 113_000) {
			lives += 1;
			const {deletionTimestamp: _, evictedAt: __, ...pod} = observation.pod;
			return [{type: 'podApplied', pod: {...pod, uid: 'uid-second', isDisruptionTarget: false}}];
		}
		if (observation.type === 'podDeleted' && now > 113_000) return [];
		if (observation.type === 'eventApplied' && now > 113_000) return [];
		return [observation];
	};
	const {divergences} = runShadow(aScenario(steps, {until: 280}), {seenAs});
	expect(lives).toBeGreaterThan(0);
	expect(divergences.map(wordsOf)).toEqual(['alarm Missing DeletePod web Unexplained']);
});

test.for([true, false])(
	'what a gap in the watch could explain is no alarm (history forgotten: %s)',
	(isForgotten) => {
		const {divergences, view} = runShadow(aScenario([dies], {nodeMonitorGracePeriod: 30, until: 120}), {
			assumed: {nodeMonitorGracePeriod: 50_000},
			gaps: [{from: 30, until: 38, isForgotten}],
		});
		expect(divergences.map(wordsOf)).toContain('note Early SetUnknown a0 ObservationGap');
		expect(divergences.filter(({isAlarm}) => isAlarm)).toEqual([]);
		expect(view?.gaps[0]).toMatchObject({from: 30_000, until: 38_000});
		expect(view?.gapCount).toBe(1);
	},
);

test.for([
	{of: 'pod', from: 85, until: 160},
	{of: 'node', from: 60, until: 130},
] as const)('what a watch of $of alone that is dead does not bring is not missing', (silence) => {
	const {reported, matches} = runShadow(aScenario([dies], {until: 200}), {silence});
	expect(reported).toEqual([]);
	expect(matches.map(({action}) => action)).toContain(silence.of === 'pod' ? 'DeletePod' : 'SetUnknown');
});

test('what does not come is missing at once where the watch goes on, and after a while where nothing comes', () => {
	const pods = [aScenarioPod('web', 'a0'), aScenarioPod('later', 'a0', 40)];
	const isOfWeb = (one: Observation, now: number): boolean =>
		now > 6000 &&
		((one.type === 'podApplied' && one.pod.name === 'web') ||
			(one.type === 'podDeleted' && one.name === 'web') ||
			one.type === 'eventApplied');
	const [alone, together] = [pods.slice(0, 1), pods].map((some) => {
		const {divergences} = runShadow(aScenario([dies], {pods: some, until: 260}), {
			seenAs: (one, now) => (isOfWeb(one, now) ? [] : [one]),
		});
		return divergences.find(({object}) => object.name === 'web');
	});
	const waited = (one: Divergence | undefined) => (one?.noticedAt ?? 0) - (one?.expected?.latest ?? 0);
	expect(waited(together)).toBeLessThan(15_000);
	// By then a silent watch was abandoned, and another is open or known to be lost.
	expect(waited(alone)).toBeGreaterThan(systemTiming.silenceTimeout + systemTiming.answerTimeout);
	expect(waited(alone)).toBeLessThan(125_000);
});

test('while the watch is lost, nothing is said of the controllers', () => {
	const gap = {from: 20, until: 90};
	const [lost, found] = [80, 100].map((until) => runShadow(aScenario([], {until}), {gaps: [gap]}).view);
	expect(lost?.controller).toMatchObject({isUp: null, leader: 'control-plane', leaderSince: null});
	expect(found?.controller).toMatchObject({isUp: true, leaderSince: expect.any(Number)});
});

test('what began before the shadow did is no alarm', () => {
	const {divergences} = runShadow(aScenario([dies], {nodeMonitorGracePeriod: 80, until: 130}), {
		assumed: {nodeMonitorGracePeriod: 50_000},
		startsAt: 45,
	});
	expect(divergences.map(wordsOf)).toEqual(['note Late SetUnknown a0 ObservationGap']);
});

test('a node that comes back ends what was missing of it', () => {
	const steps = [dies, {at: 85, do: 'start-kubelet', node: 'a0'}] as const;
	const {reported} = runShadow(aScenario(steps, {nodeMonitorGracePeriod: 200, until: 120}), {
		assumed: {nodeMonitorGracePeriod: 50_000},
	});
	expect(reported.at(-1)).toMatchObject({kind: 'Missing', action: 'SetUnknown', actual: null});
	expect(reported.at(-1)?.endedAt).toBeGreaterThanOrEqual(85_000);
});
