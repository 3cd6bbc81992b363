import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {minute, never, second} from '../../../src/core/time/instant.ts';
import type {Forecaster} from '../../../src/forecast/forecaster.ts';
import type {Change} from '../../../src/forecast/simulate/change.ts';
import type {WhatIf} from '../../../src/forecast/whatif/whatIf.ts';
import {aForecaster} from '../../support/aForecaster.ts';
import {aCondition, aLease, aNode, aPod, aTaint, inZone, tolerates} from '../../support/builders.ts';
import * as down from '../../support/downNodes.ts';

const now = 60 * minute;
const unreachable = 'node.kubernetes.io/unreachable';
const tolerations = [tolerates(unreachable, 300), tolerates('node.kubernetes.io/not-ready', 300)];

const marked = {ready: 'False', readyChangedAt: now - minute, markedNotReadyAt: now - minute} as const;

/** Five nodes of two zones with one pod each; a-0 has been dead and tainted for a minute. */
function fiveNodes(): Forecaster {
	const names = ['a-0', 'a-1', 'a-2', 'b-0', 'b-1'];
	const forecaster = aForecaster(
		{},
		{
			observedAt: now,
			kubernetesVersion: 'v1.36.3',
			nodes: names.map((name) => {
				const isDead = name === 'a-0';
				const taint = aTaint(unreachable, {effect: 'NoExecute', timeAdded: now - minute});
				const ready = isDead
					? aCondition('Ready', 'Unknown', {lastTransitionTime: now - minute})
					: aCondition('Ready', 'True', {lastHeartbeatTime: now - minute});
				return aNode(name, {
					labels: inZone(name.slice(0, 1)),
					conditions: [ready],
					taints: isDead ? [taint] : [],
				});
			}),
			leases: names.map((name) => aLease(name, name === 'a-0' ? now - 2 * minute : now - 3 * second)),
			pods: names.map((name) =>
				aPod(`pod-${name}`, {nodeName: name, tolerations, ...(name === 'a-0' && marked)}),
			),
		},
	);
	return forecaster;
}

const askAbout = (...changes: readonly Change[]): WhatIf => fiveNodes().whatIf(changes, now);

const effectsOf = ({pods}: WhatIf) =>
	Object.fromEntries(pods.map(({after, effect}) => [after.name, effect] as const));

test('nothing changes where nothing is supposed', () => {
	expect(effectsOf(askAbout())).toEqual({'pod-a-0': 'unchanged'});
});

test('what no simulated controller reads is not simulated on a second side', () => {
	const stepsOf = (change: Change) => {
		const forecaster = fiveNodes();
		forecaster.forecast(now);
		let pauses = 0;
		for (const question = forecaster.whatIfInSteps([change], now); !question.next().done; ) pauses += 1;
		return pauses;
	};
	const cordoned = stepsOf({type: 'cordon', node: 'a-0', unschedulable: true, at: now});
	expect(stepsOf({type: 'tolerations', pod: 'default/pod-a-0', tolerations: [], at: now})).toBeLessThan(
		cordoned * 0.75,
	);
});

test('a node that comes back in time keeps its pods, and one that comes too late does not', () => {
	const inTime = askAbout({type: 'nodeBack', node: 'a-0', at: now + 3 * minute});
	expect(effectsOf(inTime)).toEqual({'pod-a-0': 'avoided'});
	expect(inTime.pods[0]?.after).toMatchObject({verdict: 'Safe', eviction: null});
	expect(effectsOf(askAbout({type: 'nodeBack', node: 'a-0', at: now + 6 * minute}))).toEqual({
		'pod-a-0': 'unchanged',
	});
});

test('without controllers a countdown ends with nobody to act, and nothing taints a node that falls silent', () => {
	const down = {type: 'controllersDown', at: now + second} as const;
	const {pods} = askAbout(down, {type: 'nodeDown', node: 'b-0', at: now + 2 * second});
	const [pod] = pods;
	expect(pod).toMatchObject({effect: 'avoided', after: {verdict: 'Held', eviction: null}});
	expect(pod?.after.because).toEqual(['no controller manager runs that would delete it']);
	const again = askAbout(down, {type: 'controllersStart', at: now + 2 * minute});
	expect(again.pods[0]).toMatchObject({effect: 'moved', after: {verdict: 'Expected'}});
});

test('without controllers the loss of another node saves no pod of one that is silent already', () => {
	const seen = [down.aReadyNode('a-0', 150), ...['a-1', 'b-0', 'b-1'].map((name) => down.aReadyNode(name))];
	const ask = (change: Change) => down.forecasterOf(seen, undefined, 180).whatIf([change], down.now);
	const verdicts = ({pods}: WhatIf) => pods.find(({after}) => after.name === 'pod-a-0');
	const lost = verdicts(ask({type: 'nodeDown', node: 'b-0', at: down.now}));
	expect(lost).toMatchObject({before: {verdict: 'Held'}, after: {verdict: 'Held'}});
	const back = verdicts(ask({type: 'nodeBack', node: 'a-0', at: down.now}));
	expect(back?.after.verdict).toBe('Safe');
});

test('a pod that tolerates forever stays, and other seconds change nothing', () => {
	const ask = (seconds: number | undefined) =>
		effectsOf(
			askAbout({
				type: 'tolerations',
				pod: 'shop/pod-a-0',
				tolerations: [tolerates(unreachable, seconds)],
				at: now + second,
			}),
		);
	expect(ask(undefined)).toEqual({'pod-a-0': 'avoided'});
	expect(ask(3600)).toEqual({'pod-a-0': 'unchanged'});
});

test('the states that zones go through are told with their instants', () => {
	const down = ['b-0', 'b-1'].map((node): Change => ({type: 'nodeDown', node, at: now + minute}));
	const {zones, nodes} = askAbout(...down);
	const zone = zones.find((one) => one.zone === 'eu/b');
	expect(zone?.before.steps.map(({state}) => state)).toEqual(['Normal']);
	expect(zone?.after.steps.map(({state}) => state)).toEqual(['Normal', 'FullDisruption']);
	// The kubelets renewed their leases before they became silent, so the pass that detects them may come within 40 s.
	const turns = nodes.flatMap(({name, turnsAt}) => (turnsAt && name.startsWith('b-') ? turnsAt : []));
	const {earliest = 0, latest} = zone?.after.steps[1]?.at ?? {};
	expect(turns).toHaveLength(2);
	expect(earliest).toBeGreaterThanOrEqual(Math.max(...turns.map((turn) => turn.earliest)));
	expect(latest).toBeLessThanOrEqual(Math.max(...turns.map((turn) => turn.latest ?? never)) + second);
});

test.each([15, 20, 60])(
	'controllers that start with a monitor period of %i s taint a node as late as that lets them',
	(period) => {
		const at = 60 * minute;
		const key = 'node.kubernetes.io/unreachable';
		const names = ['a-0', 'a-1', 'a-2', 'b-0'];
		const forecaster = aForecaster(settingsFor('v1.33.0'), {
			observedAt: at,
			kubernetesVersion: 'v1.33.0',
			nodes: names.map((name) =>
				aNode(name, {
					labels: inZone(name.slice(0, 1)),
					conditions: [aCondition('Ready', 'True', {lastHeartbeatTime: at - minute})],
				}),
			),
			leases: names.map((name) => aLease(name, at - (name === 'a-0' ? 20 : 3) * second)),
			pods: [aPod('web', {nodeName: 'a-0', tolerations: [tolerates(key, 300)]})],
		});
		const {pods} = forecaster.whatIf(
			[
				{type: 'nodeDown', node: 'a-0', at},
				{type: 'controllersStart', at: at + second, settings: {nodeMonitorPeriod: period * second}},
			],
			at,
		);
		const after = pods.find((pod) => pod.after.name === 'web')?.after;
		expect(after).toMatchObject({verdict: 'Expected', held: null});
		expect((after?.eviction?.latest ?? 0) - at).toBeLessThan((300 + 60 + 2 * period) * second);
	},
);
