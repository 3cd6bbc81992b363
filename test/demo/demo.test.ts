import {expect, onTestFinished, test} from 'vitest';
import {minute, second} from '../../src/core/time/instant.ts';
import {startDemo} from '../../src/demo/demo.ts';
import {demoScenario} from '../support/demoScenario.ts';
import {get, namesOf, now, watch} from './fixtures.ts';
import {ManualTimers} from './manualTimers.ts';

async function demoOf(pace: {speed?: () => number} = {}) {
	const timers = new ManualTimers();
	const scenario = demoScenario('node-dies');
	const demo = await startDemo(scenario, {port: 0, clock: () => now + timers.now, timers, seed: 1, ...pace});
	onTestFinished(demo.close);
	return {demo, timers};
}

test('the world goes on while real time passes, and a client sees it over HTTP', async () => {
	const {demo, timers} = await demoOf();
	const {metadata} = await get(demo, '/api/v1/nodes');
	const query = `watch=true&resourceVersion=${metadata.resourceVersion}&fieldSelector=metadata.name%3Db2`;
	const lines = await watch(demo, `/api/v1/nodes?${query}`);
	timers.advance(70 * second);
	const {value} = await lines.next();
	expect(value?.object).toMatchObject({
		metadata: {name: 'b2'},
		status: {
			conditions: expect.arrayContaining([expect.objectContaining({type: 'Ready', status: 'Unknown'})]),
		},
	});
});

test('a faster world has a faster clock', async () => {
	const {demo, timers} = await demoOf({speed: () => 10});
	timers.advance(6 * second);
	expect(demo.now()).toBeGreaterThan(now + minute - second);
	expect(demo.now()).toBeLessThanOrEqual(now + minute);
	const response = await fetch(`${demo.url}/readyz`);
	expect(response.headers.get('date')).toBe(new Date(demo.now()).toUTCString());
});

test('a world that took long to build has the time of the real clock, so that nobody calls a clock wrong', async () => {
	const scenario = demoScenario('node-dies');
	let asked = 0;
	// The clock is first read when building begins.
	const clock = () => (asked++ === 0 ? now : now + 5 * second);
	const demo = await startDemo(scenario, {port: 0, clock, timers: new ManualTimers(), seed: 1});
	onTestFinished(demo.close);
	const response = await fetch(`${demo.url}/readyz`);
	expect(response.headers.get('date')).toBe(new Date(now + 5 * second).toUTCString());
});

test('a process that was stopped for minutes shows the present before its timers have run', async () => {
	const scenario = demoScenario('node-dies');
	let present = now;
	const demo = await startDemo(scenario, {
		port: 0,
		clock: () => present,
		timers: new ManualTimers(),
		seed: 1,
	});
	onTestFinished(demo.close);
	present += 5 * minute;
	const {items} = await get(demo, '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases');
	const renewals = (items as unknown as readonly {spec: {renewTime: string}}[]).map(({spec}) =>
		Date.parse(spec.renewTime),
	);
	expect(Math.max(...renewals)).toBeGreaterThan(present - 10 * second);
});

test("the controller manager's flags can be read from its static pod", async () => {
	const {demo} = await demoOf();
	const path = '/api/v1/namespaces/kube-system/pods?labelSelector=app%3Dkube-controller-manager';
	const list = await get(demo, path);
	expect(namesOf(list)).toEqual(['kube-controller-manager-cp1']);
	expect(list.items[0]).toHaveProperty('spec.containers.0.command.0', 'kube-controller-manager');
});

test('a closed demo has no timers left', async () => {
	const {demo, timers} = await demoOf();
	expect(timers.pendingCount).toBe(1);
	await demo.close();
	expect(timers.pendingCount).toBe(0);
});
