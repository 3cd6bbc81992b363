import type {ClusterSnapshot} from '../../../src/core/model/clusterSnapshot.ts';
import type {ControllerSettings} from '../../../src/core/model/controllerSettings.ts';
import type {Node} from '../../../src/core/model/node.ts';
import type {Pod} from '../../../src/core/model/pod.ts';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import type {Explanation, Step, Target, WhyNot} from '../../../src/forecast/explain/explanation.ts';
import type {KnownSources} from '../../../src/forecast/explain/situation.ts';
import type {Forecaster} from '../../../src/forecast/forecaster.ts';
import {aForecaster} from '../../support/aForecaster.ts';
import {ClientView} from '../../support/clientView.ts';
import {feed, listAgain} from '../../support/feed.ts';
import type {Scenario, ScenarioPod, ScenarioToleration} from '../../support/scenario/scenario.ts';
import {settingsOf} from '../../support/scenario/scenarioObjects.ts';
import {ScenarioPlayer} from '../../support/scenario/scenarioPlayer.ts';
import {aScenario} from '../../support/scenarios.ts';

/** A scenario played to an instant, a list of it, and its future if nothing else changes. */
export type Scene = {
	readonly now: Instant;
	readonly player: ScenarioPlayer;
	readonly forecaster: Forecaster;
	readonly explain: (target: Target, known?: KnownSources) => Explanation;
	readonly explainPod: (name: string, known?: KnownSources) => Explanation;
	/** Plays on, once; returns when each effect happens, in milliseconds, by keys such as `delete shop/web`. */
	readonly future: (until?: number) => ReadonlyMap<string, Instant>;
};

type SceneOptions = {
	readonly at: number;
	readonly version?: string;
	readonly settings?: Partial<ControllerSettings>;
	/** Since when the client has been watching, in seconds; by default, it lists once. */
	readonly watchFrom?: number;
	/** Changes the client's list. */
	readonly edit?: (snapshot: ClusterSnapshot) => ClusterSnapshot;
};

/** Plays a scenario to `at` seconds, and forecasts. */
export function sceneOf(fields: Partial<Scenario>, options: SceneOptions): Scene {
	const {at, version = 'v1.36.3', settings, edit = (snapshot) => snapshot} = options;
	const scenario = aScenario(fields);
	const defaults = settingsFor(version);
	const player = new ScenarioPlayer(scenario, defaults);
	const view = new ClientView(player.simulation);
	const look = (): ClusterSnapshot => edit({...view.list(), kubernetesVersion: version});
	player.advanceTo((options.watchFrom ?? at) * second);
	const forecaster = aForecaster({...settingsOf(scenario.config, defaults), ...settings}, look());
	if (options.watchFrom !== undefined) watch(player, view, forecaster, options.watchFrom, at);
	player.advanceTo(at * second);
	if (options.watchFrom !== undefined) listAgain(forecaster, look(), player.simulation.now - second / 20);
	const now = player.simulation.now;
	const explain = (target: Target, known?: KnownSources) => found(forecaster.explain(target, now, known));
	return {
		now,
		player,
		forecaster,
		explain,
		explainPod: (name, known) => explain({kind: 'pod', namespace: 'default', name}, known),
		future: (until = 800) => happenings(player, until * second),
	};
}

function watch(player: ScenarioPlayer, view: ClientView, forecaster: Forecaster, from: number, to: number) {
	view.watch();
	for (let now = from * second; now < to * second; now += second / 20) {
		player.advanceTo(now);
		feed(forecaster, view.watch(), now);
	}
}

/** The same for given objects, without a simulation. */
export function lookAt(
	snapshot: Partial<ClusterSnapshot> & {readonly nodes: readonly Node[]; readonly pods: readonly Pod[]},
	now: Instant,
	settings: Partial<ControllerSettings> = {},
) {
	const forecaster = aForecaster(
		{...settingsFor(snapshot.kubernetesVersion), ...settings},
		{observedAt: now, source: 'file', leases: [], ...snapshot},
	);
	return (target: Target) => found(forecaster.explain(target, now));
}

function found(explanation: Explanation | undefined): Explanation {
	if (!explanation) throw new Error('the target was not found');
	return explanation;
}

function happenings(player: ScenarioPlayer, until: Instant): ReadonlyMap<string, Instant> {
	const times = new Map<string, Instant>();
	const first = (key: string, at: Instant) => times.set(key, times.get(key) ?? at);
	for (const {at, effect} of player.advanceTo(until)) {
		if (effect.type === 'podDeleted' && !effect.again) first(`delete ${effect.pod}`, at);
		if (effect.type === 'nodeCondition') first(`${effect.node} ${effect.status}`, at);
		if (effect.type === 'taintAdded' && effect.taint.effect === 'NoExecute')
			first(`taint ${effect.node}`, at);
		if (effect.type === 'taintRemoved' && effect.taint.effect === 'NoExecute')
			first(`untaint ${effect.node}`, at);
	}
	return times;
}

export const reasonOf = ({whyNot}: Explanation, reason: WhyNot['reason']): WhyNot => {
	const one = whyNot.find((candidate) => candidate.reason === reason);
	if (!one) throw new Error(`no reason ${reason} among ${whyNot.map((other) => other.reason).join(', ')}`);
	return one;
};

export const namesOf = ({whyNot}: Explanation, effect: WhyNot['effect']): readonly string[] =>
	whyNot.filter((one) => one.effect === effect).map(({reason}) => reason);

/** The step whose text matches. */
export function stepOf({steps}: Pick<Explanation, 'steps'>, words: RegExp): Step {
	const step = steps.find(({what}) => words.test(what));
	if (!step) throw new Error(`no step says ${words}:\n${steps.map(({what}) => what).join('\n')}`);
	return step;
}

/** Whether an instant is within a step's time, with a tolerance for rounded texts. */
export function isWithin(at: Instant | undefined, {at: when}: Pick<Step, 'at'>, tolerance = 1000): boolean {
	if (at === undefined || when === null) return false;
	const [earliest, latest] = typeof when === 'number' ? [when, when] : [when.earliest, when.latest];
	return at >= earliest - tolerance && at <= (latest ?? Number.POSITIVE_INFINITY) + tolerance;
}

const ownKeys = ['not-ready', 'unreachable'].map((key) => `node.kubernetes.io/${key}`);

/** Tolerations of both of the controller's taints: for some seconds, or forever. */
export const toleratesBoth = (tolerationSeconds?: number): readonly ScenarioToleration[] =>
	ownKeys.map((key) => ({
		key,
		operator: 'Exists',
		effect: 'NoExecute',
		...(tolerationSeconds === undefined ? {} : {tolerationSeconds}),
	}));

/** A pod that tolerates the controller's taints for `seconds` seconds. */
export const podOn = (node: string, name: string, seconds?: number): ScenarioPod => ({
	name,
	node,
	tolerations: toleratesBoth(seconds),
});

/** Nodes of one zone, some of them silent. */
export const nodesIn = (zone: string, count: number, silent: readonly number[] = []) =>
	Array.from({length: count}, (_, index) => ({
		name: `${zone}${index}`,
		labels: {'topology.kubernetes.io/zone': zone},
		createdAt: -3600,
		silent: silent.includes(index),
	}));

export const stopKubelets = (at: number, ...nodes: readonly string[]) =>
	nodes.map((node) => ({at, do: 'stop-kubelet' as const, node}));
