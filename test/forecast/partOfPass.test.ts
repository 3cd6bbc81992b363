import {expect, test} from 'vitest';
import type {Observation} from '../../src/core/model/observation.ts';
import {settingsFor} from '../../src/core/model/versionProfile.ts';
import {type Instant, minute, second} from '../../src/core/time/instant.ts';
import {Random} from '../../src/core/time/random.ts';
import {Forecaster} from '../../src/forecast/forecaster.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import type {Change} from '../../src/forecast/simulate/change.ts';
import {inZone} from '../support/builders.ts';
import {ClientView} from '../support/clientView.ts';
import {runsOf} from '../support/drawn.ts';
import {feed} from '../support/feed.ts';
import {outageOf} from '../support/outages.ts';
import type {Scenario} from '../support/scenario/scenario.ts';
import {settingsOf} from '../support/scenario/scenarioObjects.ts';
import {ScenarioPlayer} from '../support/scenario/scenarioPlayer.ts';
import {aScenario} from '../support/scenarios.ts';
import {lookAhead, whatIsWrong} from '../support/truth.ts';

// The workers of a pass write concurrently, and queue a node once its write returns. A watch receives one write after another:
// the node whose write comes first need not be queued first.

const version = settingsFor('v1.36.3');

/** Forecasts when several nodes change at once, from a watch that has received only some of the changes. */
class InPart {
	readonly warm: Forecaster;
	readonly #player: ScenarioPlayer;
	readonly #view: ClientView;
	#untold: readonly Observation[] = [];

	constructor(scenario: Scenario, seed: number, from: Instant) {
		this.warm = new Forecaster(settingsOf(scenario.config, version));
		this.#player = new ScenarioPlayer(scenario, version, seed, 0, undefined, {callDuration: 15});
		this.#view = new ClientView(this.#player.simulation);
		this.#player.advanceTo(from);
		this.warm.observeSnapshot(this.#view.list());
		this.#view.watch();
	}

	/** Advances until several nodes change at once, and delivers the chosen ones; undefined if there is none. */
	next(end: Instant, choose: (nodes: readonly string[]) => ReadonlySet<string>): Instant | undefined {
		for (let {now} = this.#player.simulation; now < end; ) {
			now += 5;
			this.#player.advanceTo(now);
			const seen = [...this.#untold, ...this.#view.watch()];
			const nodes = seen.flatMap((one) => (one.type === 'nodeApplied' ? one.node.name : []));
			const told = nodes.length > 1 ? choose(nodes) : new Set(nodes);
			const isTold = (one: Observation) => one.type !== 'nodeApplied' || told.has(one.node.name);
			this.#untold = seen.filter((one) => !isTold(one));
			if (seen.length > 0) feed(this.warm, seen.filter(isTold), now);
			if (told.size < nodes.length) return now;
		}
		return undefined;
	}
}

/** When each pod of a scenario is deleted. */
function deletionsOf(scenario: Scenario, seed: number, until: Instant): ReadonlyMap<string, Instant> {
	const truth = new ScenarioPlayer(scenario, version, seed, 0, undefined, {callDuration: 15});
	return new Map(
		truth
			.advanceTo(until)
			.flatMap(({at, effect}) =>
				effect.type === 'podDeleted' && !effect.again ? [[effect.pod, at] as const] : [],
			),
	);
}

const wrongIn = (pods: readonly PodForecast[], deletions: ReadonlyMap<string, Instant>, now: Instant) =>
	pods.flatMap((pod) => {
		const deletedAt = deletions.get(`${pod.namespace}/${pod.name}`);
		return (deletedAt !== undefined && deletedAt <= now ? undefined : whatIsWrong(pod, deletedAt, now)) ?? [];
	});

/** By then it is visible which kubelets are silent. */
const silentBy = 20.5 * second;

const names = ['b-1', 'b-2', 'b-3'];
const nodes = ['a', 'b', 'c'].flatMap((zone) =>
	[1, 2, 3].map((n) => ({
		...{name: `${zone}-${n}`, labels: inZone(zone), createdAt: -3600},
		leasePhase: 3 + n / 10,
	})),
);
const pods = names.flatMap((node) => [0, 1].map((n) => ({name: `${node}-${n}`, node})));
const steps = names.map((node) => ({at: 33.37, do: 'stop-kubelet' as const, node}));
/** After the second token: two of the three are tainted by then, or one. */
const backAt = 101;
const cases: Record<string, {scenario: Scenario; changes: readonly Change[]}> = {
	'a forecast': {scenario: aScenario({nodes, pods, steps}), changes: []},
	'a what-if of a return': {
		scenario: aScenario({
			...{nodes, pods},
			steps: [...steps, {at: backAt, do: 'start-kubelet' as const, node: 'b-3'}],
		}),
		changes: [{type: 'nodeBack', node: 'b-3', at: backAt * second}],
	},
};

test.for(names.flatMap((name) => Object.keys(cases).map((asked) => ({name, asked}))))(
	'where only $name is seen to be Unknown, any node of its zone may go first in $asked',
	({name, asked}) => {
		const {scenario, changes} = cases[asked] ?? {scenario: aScenario(), changes: []};
		const first = new Set<string>();
		for (let seed = 1; seed <= 6; seed += 1) {
			const watch = new InPart(scenario, seed, 60 * second);
			const now = watch.next(2 * minute, () => new Set([name])) ?? Number.NaN;
			const deletions = deletionsOf(scenario, seed, 5 * minute);
			first.add([...deletions.keys()][0] ?? '');
			const said =
				changes.length > 0
					? watch.warm.whatIf(changes, now).pods.map(({after}) => after)
					: watch.warm.forecast(now).pods;
			expect(wrongIn(said, deletions, now), `seed ${seed}`).toEqual([]);
		}
		expect(first.size).toBeGreaterThan(1);
	},
);

test('in drawn outages it is right wherever it is told of some nodes and not of others', () => {
	let looks = 0;
	// The first is a zone that stops, or has used a token before.
	for (let seed = 42; seed < 42 + runsOf(2, 100); seed += 1) {
		const drawn = outageOf(seed, {}).scenario;
		const alike = drawn.nodes.map((node, index) => ({...node, leasePhase: 3.0137 + index / 100}));
		const scenario = {...drawn, nodes: alike};
		const lastStep = Math.max(...drawn.steps.map(({at}) => at), 30) * second;
		const deletions = deletionsOf(scenario, seed, lastStep + 3 * minute + lookAhead);
		const watch = new InPart(scenario, seed, Math.max(second, lastStep - 40 * second));
		const random = new Random(seed);
		const some = (all: readonly string[]) => {
			const shuffled = all.toSorted(() => random.next() - 0.5);
			return new Set(shuffled.slice(0, 1 + Math.floor(random.next() * (all.length - 1))));
		};
		for (let now = watch.next(lastStep + 3 * minute, some); now !== undefined; ) {
			if (now > lastStep + silentBy) {
				looks += 1;
				expect(wrongIn(watch.warm.forecast(now).pods, deletions, now), `seed ${seed} at ${now}`).toEqual([]);
			}
			now = watch.next(lastStep + 3 * minute, some);
		}
	}
	expect(looks).toBeGreaterThan(0);
});
