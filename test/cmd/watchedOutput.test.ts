import {expect, test} from 'vitest';
import {parseCommandLine} from '../../cmd/commands/commandTable.ts';
import {listFollower} from '../../cmd/lists/follow.ts';
import {type Listing, nodeListing, podListing, zoneListing} from '../../cmd/lists/listings.ts';
import {settingsFor} from '../../src/core/model/versionProfile.ts';
import {type Instant, minute, second} from '../../src/core/time/instant.ts';
import {scenarios} from '../../src/demo/world/scenarios.ts';
import {Forecaster} from '../../src/forecast/forecaster.ts';
import {ScoreKeeper} from '../../src/forecast/ledger/score.ts';
import {ClusterStore} from '../../src/store/clusterStore.ts';
import {gitVersion, ObservedWorld} from '../demo/truth/observedWorld.ts';
import {feed} from '../support/feed.ts';
import {flawsOf} from '../support/schemaCheck.ts';
import {recordingTerminal} from './recordingTerminal.ts';

const start: Instant = Date.UTC(2026, 0, 31, 14, 0, 0);
const listings = {pods: podListing, nodes: nodeListing, zones: zoneListing} as const;

/** The output of `-w` for a simulated outage and each command line, by lines. */
async function watched(
	name: string,
	commandLines: readonly (readonly string[])[],
): Promise<readonly (readonly unknown[])[]> {
	const scenario = scenarios.find((one) => one.name === name);
	if (!scenario) throw new Error(`no scenario ${name}`);
	const store = new ClusterStore();
	const forecaster = new Forecaster(settingsFor(gitVersion), {}, store);
	const keeper = new ScoreKeeper(store);
	store.subscribe(keeper);
	const world = new ObservedWorld(scenario, start, 1, (observation, at) => {
		feed(forecaster, [observation], at);
	});
	forecaster.observeSnapshot(world.snapshot(start));
	const followed = commandLines.map((line) => {
		const terminal = recordingTerminal();
		const options = parseCommandLine(line);
		const listing = listings[options.command as keyof typeof listings] as Listing<unknown>;
		return {terminal, follower: listFollower(listing, {}, options, terminal)};
	});
	for (let now = start + 10 * second; now <= start + 3 * minute; now += 10 * second) {
		world.advanceTo(now);
		const forecast = forecaster.forecast(now);
		keeper.add(forecast);
		for (const {follower} of followed) await follower.publish(forecast, now, keeper.score);
	}
	return followed.map(({terminal}) =>
		terminal
			.texts()
			.out.trim()
			.split('\n')
			.map((text) => JSON.parse(text)),
	);
}

const examples = ['node-dies', 'zone-dies', 'flapping-node'];

test.for(examples.flatMap((name) => Object.keys(listings).map((command) => ({name, command}))))(
	'each line of $command -w -o json in $name keeps the schema',
	{timeout: 240_000},
	async ({name, command}) => {
		const line = [command, '-A', '-w', '-o', 'json'];
		const [lines = [], events = []] = await watched(name, [line, [...line, '--output-watch-events']]);
		expect(lines.length).toBeGreaterThan(2);
		for (const line of lines) expect(flawsOf(line, 'watched')).toEqual([]);
		expect(events).toHaveLength(lines.length);
		for (const event of events) expect(flawsOf(event, 'watch-event')).toEqual([]);
	},
);
