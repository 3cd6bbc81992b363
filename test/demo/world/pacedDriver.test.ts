import {expect, test} from 'vitest';
import {second} from '../../../src/core/time/instant.ts';
import {objectStore} from '../../../src/demo/world/objectStore.ts';
import {pacedDriver} from '../../../src/demo/world/pacedDriver.ts';
import {demoWorld} from '../../../src/demo/world/world.ts';
import {demoScenario} from '../../support/demoScenario.ts';
import {now} from '../fixtures.ts';
import {ManualTimers} from '../manualTimers.ts';

function paced(speed: number, batch = 0) {
	const scenario = demoScenario('node-dies');
	const store = objectStore();
	const world = demoWorld(scenario, store, {now, gitVersion: 'v1.36.3', seed: 1});
	const timers = new ManualTimers();
	let busy = 0;
	const clock = () => now + timers.now + busy;
	const driver = pacedDriver(world, {
		clock,
		timers,
		speed: () => speed,
		batch,
		revision: () => store.resourceVersion,
	});
	driver.start();
	const beBusy = (duration: number) => {
		busy += duration;
	};
	return {store, driver, timers, beBusy};
}

test('the clock shows the instant of a change until clients had three turns to hear of it', () => {
	const {store, driver, timers} = paced(10);
	const changes: number[] = [];
	store.of('leases').subscribe(() => changes.push(timers.now));
	const stood: number[] = [];
	for (let turn = 0, heard = 0; turn < 1000; turn++) {
		const shown = driver.now();
		timers.advance(1);
		if (changes.length > heard) {
			stood.push(driver.now());
			timers.advance(2);
			expect(driver.now()).toBe(stood.at(-1));
			heard = changes.length;
		}
		expect(driver.now()).toBeGreaterThanOrEqual(shown);
	}
	// Thirteen leases in ten seconds, and the leader's every two.
	expect(stood.length).toBeGreaterThan(13);
});

test('a process that was busy loses time, and the world does not leap', () => {
	const {driver, timers, beBusy} = paced(10);
	timers.advance(second);
	const before = driver.now();
	beBusy(5 * second);
	timers.advance(200);
	expect(driver.now() - before).toBeLessThanOrEqual(3 * second);
});

test('clients hear of what happens within a batch at once, and no later than that', () => {
	const {store, timers, driver} = paced(10, 500);
	const heard = new Map<number, {times: number[]; at: number}>();
	store.of('leases').subscribe(({object}) => {
		const {renewTime} = object['spec'] as {renewTime: string};
		const batch = heard.get(timers.now) ?? {times: [], at: 0};
		heard.set(timers.now, batch);
		batch.times.push(Date.parse(renewTime));
	});
	for (let turn = 0; turn < 3000; turn++) {
		timers.advance(1);
		const batch = heard.get(timers.now);
		if (batch) batch.at = driver.now();
	}
	const batches = [...heard.values()];
	expect(Math.max(...batches.map(({times}) => times.length))).toBeGreaterThan(1);
	// A kubelet's clock may be wrong by 300 ms.
	for (const {times, at} of batches) for (const time of times) expect(at - time).toBeLessThanOrEqual(800);
});
