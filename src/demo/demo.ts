import type {Instant} from '../core/time/instant.ts';
import {type ApiServer, startApiServer} from './apiServer.ts';
import {ObjectStore} from './objectStore.ts';
import type {DemoScenario} from './scenarios.ts';
import {systemTimers, type Timers} from './timers.ts';
import {World} from './world.ts';
import {WorldDriver} from './worldDriver.ts';

export type DemoOptions = {
	/** Where to serve on loopback; zero takes any free port. */
	readonly port: number;
	/** The real clock; the world begins at what it shows. */
	readonly clock: () => Instant;
	readonly timers?: Timers;
	/** One where absent: clients that count in real time need it. */
	readonly speed?: number;
	readonly gitVersion?: string;
	readonly seed: number;
};

/** A demo that runs: its API, and its clock. */
export type Demo = ApiServer & {readonly now: () => Instant};

const newestVersion = 'v1.36.3';

// Enough for a client that pages through a large cluster while its leases are renewed.
const historyLimit = 20_000;

/** Serves a simulated outage until it is closed. Throws PortTakenError where the port is in use. */
export async function startDemo(scenario: DemoScenario, options: DemoOptions): Promise<Demo> {
	const {port, clock, timers = systemTimers, speed = 1, gitVersion = newestVersion, seed} = options;
	const store = new ObjectStore({historyLimit});
	const world = new World(scenario, store, {now: clock(), gitVersion, seed});
	const driver = new WorldDriver(world, {clock, timers, speed});
	const now = () => driver.now();
	const server = await startApiServer(store, {port, gitVersion, now, timers});
	driver.start();
	const close = () => {
		driver.stop();
		return server.close();
	};
	return {...server, now, close};
}
