import {unseenControlPlane} from '../../src/core/model/controlPlane.ts';
import {settingsFor} from '../../src/core/model/versionProfile.ts';
import {type Duration, type Instant, second} from '../../src/core/time/instant.ts';
import {Random} from '../../src/core/time/random.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {SettingsEvidence} from '../../src/forecast/settings/settingsEvidence.ts';
import {lookOnce} from '../../src/session/lookOnce.ts';
import {ClientView} from './clientView.ts';
import type {Scenario, ScenarioConfig, ScenarioNode, ScenarioPod, ScenarioStep} from './scenario/scenario.ts';
import {ScenarioPlayer} from './scenario/scenarioPlayer.ts';
import {lookAhead, whatIsWrong} from './truth.ts';

/** A silent node is not detectable before this time, when two renewals are missing. */
const silentAfter = 20.6;

/** An outage under controllers whose flags are hidden. */
type HiddenOutage = {
	readonly scenario: Scenario;
	/** When forecasts are made, in seconds. */
	readonly looks: readonly number[];
};

/** Whether silent nodes are tainted, and the release of the controllers. */
export type HiddenOptions = {
	readonly version: string;
	readonly withoutTaints?: boolean;
	/** The flags are hidden, and all have their defaults. */
	readonly areDefaults?: boolean;
};

/** Draws flags, and an outage in waves: some nodes of a zone, later others, and never all zones. */
function hiddenOutageOf(
	seed: number,
	{version, withoutTaints = false, areDefaults = false}: HiddenOptions,
): HiddenOutage {
	const random = new Random(seed * 7919);
	const between = (least: number, most: number) => least + random.next() * (most - least);
	const upTo = (least: number, most: number) => Math.floor(between(least, most + 1));
	const oneOf = <T>(items: readonly T[]): T => items[upTo(0, items.length - 1)] as T;
	const zones = ['a', 'b', 'c'].slice(0, upTo(2, 3)).map((zone) => ({zone, size: upTo(3, 14)}));
	const nodes: ScenarioNode[] = zones.flatMap(({zone, size}) =>
		Array.from({length: size}, (_, index) => ({
			...{name: `${zone}${index}`, createdAt: -3600, leasePhase: between(0, 9.9)},
			labels: {'topology.kubernetes.io/zone': zone, 'failure-domain.beta.kubernetes.io/zone': zone},
		})),
	);
	const pods: ScenarioPod[] = nodes.flatMap(({name}) =>
		Array.from({length: upTo(1, 2)}, (_, index) => {
			const tolerationSeconds = oneOf([0, 7, 30, 60, 300]);
			const keys = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
			return {
				...{name: `${name}-${index}`, node: name},
				tolerations: keys.map((key) => ({key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds})),
			};
		}),
	);
	const drawn: ScenarioConfig = {
		...{nodeMonitorPeriod: oneOf([5, 5, 2, 3, 8]), nodeStartupGracePeriod: 60},
		nodeMonitorGracePeriod: upTo(20, 120),
		nodeEvictionRate: 10 ** between(-2, 0),
		secondaryNodeEvictionRate: oneOf([0, 0.01, 10 ** between(-2, 0)]),
		largeClusterSizeThreshold: upTo(3, random.next() < 0.5 ? 12 : 200),
		unhealthyZoneThreshold: between(0.1, 0.9),
		...{kubeApiQps: 20, kubeApiBurst: 30},
		...(withoutTaints ? {taintBasedEvictions: false, podEvictionTimeout: upTo(30, 400)} : {}),
	};
	const config = areDefaults ? defaultConfig(version) : drawn;
	const steps: ScenarioStep[] = [];
	const waves: number[] = [];
	for (let wave = 0, at = between(40, 60); wave < 3; wave += 1) {
		const {zone, size} = oneOf(zones.slice(0, -1));
		const alive = nodes.filter(
			({name}) => name[0] === zone && !steps.some((one) => 'node' in one && one.node === name),
		);
		for (const {name} of alive.slice(0, upTo(1, size)))
			steps.push({at: at + random.next(), do: 'stop-kubelet', node: name});
		waves.push(at + 1);
		at += config.nodeMonitorGracePeriod + between(30, 150);
	}
	const looks = waves
		.flatMap((at) =>
			[silentAfter, config.nodeMonitorGracePeriod + 12, config.nodeMonitorGracePeriod + 28].map(
				(later) => at + later,
			),
		)
		.filter((at) => !waves.some((wave) => at > wave - 1 && at < wave + silentAfter));
	return {
		scenario: {
			...{name: `hidden flags ${seed}`, config, nodes, pods, steps},
			...{monitorPassDuration: 0.001, leaseRenewInterval: 10, nodeStatusReportInterval: 300},
			until: Math.max(...looks) + 1,
		},
		looks: looks.toSorted((a, b) => a - b),
	};
}

function defaultConfig(version: string): ScenarioConfig {
	const defaults = settingsFor(version);
	return {
		nodeMonitorPeriod: defaults.nodeMonitorPeriod / second,
		nodeStartupGracePeriod: defaults.nodeStartupGracePeriod / second,
		nodeMonitorGracePeriod: defaults.nodeMonitorGracePeriod / second,
		nodeEvictionRate: defaults.nodeEvictionRate,
		secondaryNodeEvictionRate: defaults.secondaryNodeEvictionRate,
		largeClusterSizeThreshold: defaults.largeClusterSizeThreshold,
		unhealthyZoneThreshold: defaults.unhealthyZoneThreshold,
		...{kubeApiQps: defaults.kubeApiQps, kubeApiBurst: defaults.kubeApiBurst},
	};
}

/** The result of one look's forecasts for its pods. */
export type Judged = {
	readonly seed: number;
	/** Whether some observation so far disproves a default. */
	readonly isDisproved: boolean;
	readonly judged: number;
	readonly wrong: readonly string[];
	/** The wrong ones that were forecast as Held and were evicted. */
	readonly falselyHeld: number;
	/** How much longer each range is than with known flags; absent if that was not asked. */
	readonly widerBy?: readonly Duration[];
};

/** Plays an outage with hidden flags, and judges the forecasts from one list at several instants. */
export function judgeHidden(seed: number, options: HiddenOptions): readonly Judged[] {
	const {scenario, looks} = hiddenOutageOf(seed, options);
	const defaults = settingsFor(options.version);
	const player = new ScenarioPlayer(scenario, defaults, seed, 0);
	const view = new ClientView(player.simulation);
	const evidence: SettingsEvidence = {
		...{flags: options.withoutTaints ? {taintBasedEvictions: false, taintEviction: false} : {}},
		...{versionFlag: undefined, serverVersion: options.version},
		controlPlane: unseenControlPlane('a managed control plane shows no flags'),
	};
	return looks.map((at) => {
		player.advanceTo(Math.round(at * second));
		const truth = deletionsAfter(player);
		const seen = view.list();
		const {forecast} = lookOnce(seen, evidence);
		const withFlags =
			options.areDefaults && lookOnce(seen, {...evidence, versionFlag: options.version}).forecast;
		return {...judgeLook(seed, forecast, truth), ...(withFlags && {widerBy: widerBy(forecast, withFlags)})};
	});
}

/** When each pod is deleted if nothing else happens. */
function deletionsAfter({simulation}: ScenarioPlayer): ReadonlyMap<string, Instant> {
	const deletions = new Map<string, Instant>();
	const future = simulation.fork();
	for (const {at, effect} of future.advanceTo(simulation.now + lookAhead))
		if (effect.type === 'podDeleted' && !effect.again) deletions.set(effect.pod, at);
	return deletions;
}

/** How much longer the ranges of a forecast are than those of another forecast of the same look. */
function widerBy({pods}: Forecast, {pods: others}: Forecast): readonly Duration[] {
	const known = new Map(others.map(({name, eviction}) => [name, eviction]));
	return pods.flatMap(({name, eviction}) => {
		const other = known.get(name);
		if (!other || !eviction) return [];
		const [ours, theirs] = [eviction, other].map(({earliest, latest}) => ({
			earliest,
			latest: latest ?? Number.MAX_SAFE_INTEGER,
		})) as [Told, Told];
		return Math.max(0, theirs.earliest - ours.earliest) + Math.max(0, ours.latest - theirs.latest);
	});
}

type Told = {readonly earliest: Instant; readonly latest: Instant};

const doubted = ['SettingContradicted', 'DefaultsInDoubt'];

function judgeLook(
	seed: number,
	{pods, problems, observedAt: now}: Forecast,
	truth: ReadonlyMap<string, Instant>,
): Judged {
	const counted = pods.filter(
		({namespace, name, verdict, eviction}) =>
			verdict !== 'Terminating' && (eviction !== null || truth.has(`${namespace}/${name}`)),
	);
	const wrong = counted.flatMap((pod) => {
		const what = whatIsWrong(pod, truth.get(`${pod.namespace}/${pod.name}`), now);
		return what === undefined ? [] : [`seed ${seed} at ${now / second} s: ${what}`];
	});
	return {
		seed,
		isDisproved: problems.some(({reason}) => doubted.includes(reason)),
		judged: counted.length,
		wrong,
		falselyHeld: counted.filter(({verdict}) => verdict === 'Held').length,
	};
}
