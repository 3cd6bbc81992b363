import type {Duration, Instant} from '../core/time/instant.ts';
import {startApiServer} from './apiserver/apiServer.ts';
import {objectStore} from './world/objectStore.ts';
import {pacedDriver} from './world/pacedDriver.ts';
import {type DemoScenario, nodesOf} from './world/scenarios.ts';
import {systemTimers, type Timers} from './world/timers.ts';
import {demoWorld, type World} from './world/world.ts';

type DemoOptions = Readonly<{
	/** The loopback port; zero takes any free port. */
	port: number;
	/** The real clock; the world starts at its time. */
	clock: () => Instant;
	timers?: Timers;
	/** The speed of time, for clients in this process. If absent, the world follows the real clock, as all other clients do. */
	speed?: () => number;
	seed: number;
}>;

/** A running demo: its API and its clock. */
export type Demo = Awaited<ReturnType<typeof startDemo>>;

/** The release of its API server and controllers. */
const gitVersion = 'v1.36.3';

// Enough for a client that pages through a large cluster while leases are renewed.
const historyLimit = 20_000;

/** Serves a simulated outage until it is closed. Throws PortTakenError if the port is in use. */
export async function startDemo(scenario: DemoScenario, options: DemoOptions) {
	const {port, clock, timers = systemTimers, speed, seed} = options;
	const store = objectStore(historyLimit);
	const world = demoWorld(scenario, store, {now: clock(), gitVersion, seed});
	const startedAt = world.now;
	const nodes = nodesOf(scenario);
	const driver =
		speed === undefined
			? realTimeDriver(world, clock, timers)
			: pacedDriver(world, {
					clock,
					timers,
					speed,
					// As long as a busy API server may delay changes.
					batch: nodes < 1000 ? 0 : nodes / 100,
					revision: () => store.resourceVersion,
				});
	const {now, catchUp} = driver;
	const {kubeletAnswer} = world;
	// After a suspended process resumes, requests may be handled before its timers.
	const server = await startApiServer(store, {port, gitVersion, now, timers, kubeletAnswer, catchUp});
	driver.start();
	const close = () => {
		driver.stop();
		return server.close();
	};
	return {...server, now, startedAt, close};
}

/** Everything that is due within this real time is done at once. */
const shortestWait: Duration = 20;
/** How often the world advances even if nothing happens in it. */
const longestWait: Duration = 1000;

/** Runs a world in real time, which passes even while a large world is built. */
function realTimeDriver(world: World, clock: () => Instant, timers: Timers) {
	let stop = () => {};
	// If the real clock is set back, the world's time stands still.
	const catchUp = () => world.advanceTo(Math.max(clock(), world.now));
	const start = () => {
		catchUp();
		const wait = Math.min(Math.max(world.nextDueAt - world.now, shortestWait), longestWait);
		stop = timers.after(wait, start);
	};
	return {now: clock, start, catchUp, stop: () => stop()};
}
