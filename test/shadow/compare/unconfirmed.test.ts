import {expect, test} from 'vitest';
import {runShadow} from '../../support/shadowRun.ts';
import {aScenario, aScenarioPod} from '../../support/shadowScenario.ts';

const dies = {at: 20, do: 'stop-kubelet', node: 'a0'} as const;

/** How long after the end of its range the first divergence is reported, with and without requests to the API server. */
function waits(...[scenario, options]: Parameters<typeof runShadow>): readonly number[] {
	return [true, false].map((mayAsk) => {
		const [first] = runShadow(scenario, {...options, mayAsk}).divergences;
		expect(first?.kind).toBe('Missing');
		return (first?.noticedAt ?? 0) - (first?.expected?.latest ?? 0);
	});
}

test('in a quiet cluster, what does not come is missing at once where the API server may be asked', () => {
	const steps = [dies, {at: 90, do: 'stop-controllers'}] as const;
	const [asking, silent] = waits(aScenario(steps, {until: 260}), {hidesLeader: true});
	expect(asking).toBeLessThan(7000);
	expect(silent).toBeGreaterThan(100_000);
});

test('the same of a node', () => {
	const real = {nodeMonitorGracePeriod: 220, until: 230};
	const [asking, silent] = waits(aScenario([dies], real), {assumed: {nodeMonitorGracePeriod: 50_000}});
	expect(asking).toBeLessThan(7000);
	expect(silent).toBeGreaterThan(100_000);
});

test.for([
	{of: 'pod', from: 85, until: 160},
	{of: 'node', from: 60, until: 130},
] as const)('a $of that has changed, as the API server knows, is left to its watch', (silence) => {
	const {reported} = runShadow(aScenario([dies], {until: 200}), {silence, mayAsk: true});
	expect(reported).toEqual([]);
});

test('a deletion that nothing explains is told at once where its node is as it was', () => {
	const pods = [aScenarioPod('web', 'a0', 60)];
	const {divergences} = runShadow(aScenario([dies, {at: 85.2, do: 'start-kubelet', node: 'a0'}], {pods}), {
		mayAsk: true,
		interventions: [
			{
				at: 110,
				do: (simulation) => {
					const pod = simulation.state.pod('default/web');
					const marked = {evictedAt: simulation.now, isDisruptionTarget: true};
					const deletionTimestamp = simulation.now + 30_000;
					if (pod) simulation.observe({type: 'podApplied', pod: {...pod, ...marked, deletionTimestamp}});
				},
			},
		],
	});
	expect(divergences.map(({kind, action, noticedAt}) => ({kind, action, noticedAt}))).toEqual([
		{kind: 'Unexpected', action: 'DeletePod', noticedAt: expect.any(Number)},
	]);
	expect(divergences[0]?.noticedAt).toBeLessThan(118_000);
});
