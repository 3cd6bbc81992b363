import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import type {ControllerSettings} from '../../src/core/model/controllerSettings.ts';
import {podKey} from '../../src/core/model/pod.ts';
import {exactly} from '../../src/core/model/settingsSpan.ts';
import {settingsFor} from '../../src/core/model/versionProfile.ts';
import {type Instant, second} from '../../src/core/time/instant.ts';
import {Random} from '../../src/core/time/random.ts';
import type {PodOutcome} from '../../src/forecast/conclude/podOutcomes.ts';
import {situationOf} from '../../src/forecast/explain/situation.ts';
import {findAffectedNodes} from '../../src/forecast/observe/affectedNodes.ts';
import {observedOf} from '../../src/forecast/observe/observed.ts';
import {ObservedTime} from '../../src/forecast/observe/observedTime.ts';
import {finish} from '../../src/forecast/pausable.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {runEnsemble} from '../../src/forecast/simulate/ensemble.ts';
import {bothSides, outcomesIn} from '../../src/forecast/whatif/whatIf.ts';
import {aForecaster} from './aForecaster.ts';
import {ClientView} from './clientView.ts';
import {fedEvidence} from './evidence.ts';
import type {Outage} from './outages.ts';
import type {Scenario, ScenarioNode, ScenarioPod, ScenarioStep} from './scenario/scenario.ts';
import {settingsOf} from './scenario/scenarioObjects.ts';
import {ScenarioPlayer} from './scenario/scenarioPlayer.ts';
import {aScenario, defaultConfig} from './scenarios.ts';
import {tolerance} from './truth.ts';

/** How long an outage is played, in seconds: the last taint of a slowed zone comes long after the first. */
const playedFor = 3000;

/** How long after the first node became Unknown forecasts are made, in seconds. */
const looksAfter = [1, 20, 60, 110];

/** Draws a zone's outage whose controllers have such a throttled client that passes take minutes. */
export function throttledOutageOf(seed: number): Scenario {
	const random = new Random(seed);
	const below = (n: number) => Math.floor(random.next() * n);
	// Every third one is small, to save time.
	const size = seed % 3 === 1 ? 60 + below(20) : 60 + below(341);
	const podsPerNode = 4 + below(Math.min(17, Math.floor(4000 / size)));
	const dying = below(3) > 0 ? 1 : 0.6 + random.next() * 0.4;
	const within = below(2) > 0 ? 0 : below(60);
	const otherSizes = [below(2) > 0 ? size : 3 + below(60), below(3) > 0 ? size : 0];
	const nodes: ScenarioNode[] = [];
	const pods: ScenarioPod[] = [];
	const steps: ScenarioStep[] = [];
	const seconds = [300, 300, 300, 30, 0];
	for (const [zone, count] of [size, ...otherSizes].entries()) {
		for (let index = 0; index < count; index += 1) {
			const name = `${'abc'[zone]}${index}`;
			const labels = {'topology.kubernetes.io/zone': 'abc'[zone] ?? ''};
			nodes.push({name, labels, createdAt: -3600, leasePhase: below(9900) / 1000 + 0.0137});
			if (zone > 0) continue;
			for (let pod = 0; pod < podsPerNode; pod += 1) {
				const tolerationSeconds = seconds[(index + pod) % seconds.length] ?? 300;
				const tolerations = ['not-ready', 'unreachable'].map((key) => ({
					...{key: `node.kubernetes.io/${key}`, operator: 'Exists', effect: 'NoExecute'},
					tolerationSeconds,
				}));
				pods.push({name: `p${pod}-${name}`, node: name, tolerations});
			}
			if (index < dying * size)
				steps.push({at: 33.37 + random.next() * within, do: 'stop-kubelet', node: name});
		}
	}
	const config = {...defaultConfig, kubeApiQps: 20, kubeApiBurst: 30};
	steps.sort((a, b) => a.at - b.at);
	return aScenario({config, monitorPassDuration: 0.018, nodes, pods, steps, until: playedFor});
}

/** A smaller outage in which nodes return and some fail again, and an instant after that. */
export function throttledOutageWithReturns(seed: number): Outage {
	const outage = throttledOutageOf(3 * seed + 1);
	const random = new Random(77 * seed);
	const between = (least: number, most: number) => least + random.next() * (most - least);
	const dead = outage.steps.flatMap((step) => (step.do === 'stop-kubelet' ? step.node : []));
	const returns = Array.from({length: Math.floor(between(1, 7))}, (): readonly ScenarioStep[] => {
		const [node = ''] = dead.splice(Math.floor(between(0, dead.length)), 1);
		const at = between(60, 140);
		const isBrief = random.next() < 0.5;
		const back: ScenarioStep = {at, do: 'start-kubelet', node};
		return isBrief ? [back, {at: at + between(5, 35), do: 'stop-kubelet', node}] : [back];
	});
	const steps = [...outage.steps, ...returns.flat()].toSorted((a, b) => a.at - b.at);
	const last = Math.max(...steps.map(({at}) => at));
	return {scenario: {...outage, steps}, forecastAt: last + between(20.5, 110), clockOffset: undefined};
}

/**
 * An outage in which nodes of throttled zones return, alone or many together, fail again, fail anew and are deleted, and the
 * controllers may restart, and an instant after that. Zones are small for the largest cluster size in every third one: when
 * they are partially disrupted, their evictions stop.
 */
export function throttledOutageWithChanges(seed: number): Outage {
	const random = new Random(131 * seed + 5);
	const between = (least: number, most: number) => least + random.next() * (most - least);
	const isOften = (share: number) => random.next() < share;
	const outage = throttledOutageOf(seed % 5 === 0 ? seed : 3 * seed + 1);
	const stops = outage.steps
		.filter(() => seed % 4 !== 0 || isOften(0.7))
		.flatMap((step) => (step.do === 'stop-kubelet' ? [step] : []));
	const dead = stops.map(({node}) => node);
	const alive = outage.nodes.map(({name}) => name).filter((name) => !dead.includes(name));
	const takeFrom = (nodes: string[]) => nodes.splice(Math.floor(between(0, nodes.length)), 1);
	const changes = Array.from({length: Math.floor(between(1, 12))}, (): readonly ScenarioStep[] => {
		const at = between(60, 170);
		const kind = random.next();
		if (kind < 0.2) return takeFrom(alive).map((node) => ({at, do: 'stop-kubelet', node}));
		return takeFrom(dead).flatMap((node): readonly ScenarioStep[] => {
			if (kind < 0.45) return [{at, do: 'delete-node', node}];
			const back: ScenarioStep = {at, do: 'start-kubelet', node};
			return kind < 0.7 ? [back, {at: at + between(5, 60), do: 'stop-kubelet', node}] : [back];
		});
	});
	const together = isOften(0.3) ? Math.floor(between(0.05, 0.7) * dead.length) : 0;
	const [backAt, within] = [between(80, 170), between(0, 20)];
	const returns = Array.from({length: together}, () =>
		takeFrom(dead).map(
			(node): ScenarioStep => ({at: backAt + between(0, within), do: 'start-kubelet', node}),
		),
	);
	const restart = between(70, 190);
	const restarts: readonly ScenarioStep[] = isOften(0.25)
		? [
				{at: restart, do: 'stop-controllers'},
				{at: restart + between(0.5, 20), do: 'start-controllers'},
			]
		: [];
	const steps = [...stops, ...changes.flat(), ...returns.flat(), ...restarts].toSorted((a, b) => a.at - b.at);
	const last = Math.max(...steps.map(({at}) => at));
	const config = {...outage.config, largeClusterSizeThreshold: seed % 3 === 0 ? 500 : 50};
	return {
		scenario: {...outage, config, steps},
		forecastAt: last + between(20.5, 130),
		clockOffset: undefined,
	};
}

/** The prediction for a pod, from the forecast or from a what-if without changes. */
type Said = Pick<PodForecast, 'verdict' | 'eviction'>;

/** The predictions of a forecast and a what-if for each pod at one instant. */
type Look = {readonly now: Instant; readonly said: ReadonlyMap<string, {forecast: Said; whatIf: Said}>};

/** Plays a throttled outage, forecasts several times, and returns the wrong predictions. */
export function wrongInThrottledOutage(seed: number, look = lookAt, version = 'v1.36.3'): readonly string[] {
	const scenario = throttledOutageOf(seed);
	const defaults = settingsFor(version);
	const settings = settingsOf(scenario.config, defaults);
	const player = new ScenarioPlayer(scenario, defaults, seed);
	const view = new ClientView(player.simulation);
	const deletions = new Map<string, Instant>();
	const playTo = (until: Instant) => {
		const effects = player.advanceTo(until);
		for (const {at, effect} of effects)
			if (effect.type === 'podDeleted' && !effect.again) deletions.set(effect.pod, at);
		return effects;
	};
	const lastStep = Math.max(...scenario.steps.map(({at}) => at)) * second;
	playTo(lastStep + 20.5 * second);
	const looks: Look[] = [look(view, settings, player.simulation.now)];
	let firstUnknown: Instant | undefined;
	while (firstUnknown === undefined && player.simulation.now < 300 * second)
		firstUnknown = playTo(player.simulation.now + second).find(
			({effect}) => effect.type === 'nodeCondition',
		)?.at;
	for (const after of looksAfter) {
		const now = (firstUnknown ?? 0) + after * second;
		if (now <= player.simulation.now) continue;
		playTo(now);
		looks.push(look(view, settings, now));
	}
	playTo(playedFor * second);
	return looks.flatMap(({now, said}) =>
		[...said].flatMap(([key, ofPod]) =>
			Object.entries(ofPod).flatMap(([who, one]) => {
				const wrong = whatIsWrong(one, deletions.get(key), now);
				return wrong
					? [`seed ${seed}, ${now / second} s: ${key} ${wrong}, but the ${who} said ${shown(one, now)}`]
					: [];
			}),
		),
	);
}

/** The predictions of a forecast and of a what-if without changes, from one list. */
export function lookAt(view: ClientView, settings: ControllerSettings, now: Instant): Look {
	const snapshot = view.list();
	const forecaster = aForecaster(settings, snapshot);
	const outcomes = outcomesWithoutChanges(snapshot, settings, now);
	const said = forecaster.forecast(now).pods.flatMap((pod) => {
		if (pod.verdict === 'Terminating') return [];
		// For overdue pods a what-if has no time.
		const whatIf = (pod.verdict !== 'Overdue' && outcomes.get(podKey(pod))) || pod;
		return [[podKey(pod), {forecast: pod, whatIf}] as const];
	});
	return {now, said: new Map(said)};
}

/** The outcome, in a what-if without changes, of each pod on an unhealthy node. */
function outcomesWithoutChanges(
	snapshot: ClusterSnapshot,
	settings: ControllerSettings,
	now: Instant,
): ReadonlyMap<string, PodOutcome> {
	const {evidence, list} = fedEvidence(settings);
	list(snapshot);
	const seen = new ObservedTime();
	seen.observe(snapshot.observedAt);
	const affected = findAffectedNodes(evidence, now, settings);
	const span = exactly(settings);
	const observed = observedOf({now, settings, evidence, affected, kubernetesVersion: undefined}, seen);
	const situation = situationOf(observed, finish(runEnsemble(observed, span)), span);
	return finish(outcomesIn(finish(bothSides([], affected, situation, span)).after));
}

/** How a prediction for a pod is wrong; undefined if it is right. */
function whatIsWrong(
	{verdict, eviction: range}: Said,
	truth: Instant | undefined,
	now: Instant,
): string | undefined {
	if (truth === undefined) {
		const isDue = verdict !== 'Unsure' && range?.latest != null && range.latest < playedFor * second;
		return isDue ? 'stays' : undefined;
	}
	if (truth <= now) return undefined;
	const isInside =
		range !== null &&
		truth >= range.earliest - tolerance &&
		truth <= (range.latest ?? Number.POSITIVE_INFINITY) + tolerance;
	return isInside ? undefined : `goes after ${(truth - now) / second} s`;
}

const shown = ({verdict, eviction: range}: Said, now: Instant): string =>
	range
		? `${verdict} ${(range.earliest - now) / second} to ${((range.latest ?? Number.POSITIVE_INFINITY) - now) / second} s`
		: verdict;
