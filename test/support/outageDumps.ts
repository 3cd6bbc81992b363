import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {type Duration, type Instant, minute, second} from '../../src/core/time/instant.ts';
import {objectStore} from '../../src/demo/world/objectStore.ts';
import {type DemoScenario, scenarios} from '../../src/demo/world/scenarios.ts';
import {demoWorld} from '../../src/demo/world/world.ts';

/** A dump of a simulated outage, as kubectl would write it. */
export type OutageDump = {
	readonly scenario: string;
	readonly file: string;
	/** When it was taken, for `--at`. */
	readonly at: string;
};

const start: Instant = Date.UTC(2026, 0, 31, 14, 0, 0);

/** When the outage is at its height, and when most of it has happened. */
const instants: readonly Duration[] = [100 * second, 7 * minute];

/** A call that is in flight when a dump is taken is answered within this time. */
const delivery: Duration = second;

/** Plays the outages of the demo in virtual time, and writes dumps of them into a folder. */
export const outageDumps = (
	folder: string,
	only: readonly string[] = [],
	after: readonly Duration[] = instants,
	seed = 1,
): readonly OutageDump[] =>
	scenarios
		.filter(({name}) => only.length === 0 || only.includes(name))
		.flatMap((one) => dumpsOf(one, folder, after, seed));

function dumpsOf(
	scenario: DemoScenario,
	folder: string,
	instants: readonly Duration[],
	seed: number,
): readonly OutageDump[] {
	const store = objectStore(1);
	const world = demoWorld(scenario, store, {now: start, gitVersion: 'v1.36.3', seed});
	return instants.map((after) => {
		world.advanceTo(start + after);
		const items = (['nodes', 'pods', 'leases', 'events'] as const).flatMap((resource) => store.all(resource));
		const file = join(folder, `${scenario.name}-${after}.json`);
		writeFileSync(file, JSON.stringify({apiVersion: 'v1', kind: 'List', items}));
		return {scenario: scenario.name, file, at: new Date(start + after + delivery).toISOString()};
	});
}
