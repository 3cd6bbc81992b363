import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import type {ControllerSettings} from '../../src/core/model/controllerSettings.ts';
import {unseenControlPlane} from '../../src/core/model/controlPlane.ts';
import {isControllerManagerLease} from '../../src/core/model/lease.ts';
import {batch, type Observation, type Provenance} from '../../src/core/model/observation.ts';
import {defaultSettings} from '../../src/core/model/versionProfile.ts';
import type {Simulation} from '../../src/core/simulation/simulation.ts';
import {type Duration, type Instant, second} from '../../src/core/time/instant.ts';
import {finish} from '../../src/forecast/pausable.ts';
import {learning} from '../../src/forecast/settingsLearner.ts';
import {sessionOn} from '../../src/session/session.ts';
import type {Divergence} from '../../src/shadow/compare/divergence.ts';
import {Shadow} from '../../src/shadow/shadow.ts';
import type {MatchedAction, ShadowView} from '../../src/shadow/shadowView.ts';
import {ClientView} from './clientView.ts';
import {type DeviceScript, DeviceWorld} from './deviceWorld.ts';
import {EventFeed} from './eventFeed.ts';
import type {Scenario} from './scenario/scenario.ts';
import {settingsOf} from './scenario/scenarioObjects.ts';
import {type MachineTraits, ScenarioPlayer} from './scenario/scenarioPlayer.ts';

/** An observation gap, in seconds; `isForgotten` if the API server does not deliver the missed changes. */
type RunGap = {readonly from: number; readonly until: number; readonly isForgotten?: boolean};

/** How a run of the shadow beside simulated controllers differs from plain watching. */
export type ShadowRunOptions = {
	/** The shadow's assumed settings that differ from the controllers' actual ones. */
	readonly assumed?: Partial<ControllerSettings>;
	readonly seed?: number;
	/** When the shadow starts, in seconds. */
	readonly startsAt?: number;
	readonly gaps?: readonly RunGap[];
	/** A gap of one watch only, in seconds; its missed changes are delivered when it is reopened. */
	readonly silence?: {readonly of: 'node' | 'pod'; readonly from: number; readonly until: number};
	/** Changes to the simulation, at instants in seconds. */
	readonly interventions?: readonly {readonly at: number; readonly do: (simulation: Simulation) => void}[];
	/** Changes the observations, as an interfering program would. */
	readonly seenAs?: (observation: Observation, now: Instant) => readonly Observation[];
	readonly hidesLeader?: boolean;
	/** The share of the controllers' events that are lost, from 0 to 1. */
	readonly lostEvents?: number;
	/** How far a kubelet's clock is ahead; if given, leases also carry the API server's own times. */
	readonly clockOffset?: ((node: string) => Duration) | undefined;
	/** Whether the shadow may request objects that it received no news of. */
	readonly mayAsk?: boolean;
	readonly devices?: DeviceScript;
	/** Properties of the controllers' machine. */
	readonly traits?: MachineTraits;
};

/** The results of a run. */
type ShadowRun = {
	readonly reported: readonly Divergence[];
	/** The latest version of each divergence, by id. */
	readonly divergences: readonly Divergence[];
	readonly matches: readonly MatchedAction[];
	readonly view: ShadowView | undefined;
};

const watchEvery = 50;

/** Plays a scenario as the real world, with a shadow that receives a client's view of it. */
export function runShadow(scenario: Scenario, options: ShadowRunOptions = {}): ShadowRun {
	const {seed = 1, startsAt = 5, interventions = [], gaps = [], seenAs = (one) => [one]} = options;
	const settings = settingsOf(scenario.config, defaultSettings);
	const feed = new EventFeed(options.lostEvents ?? 0, seed);
	const player = new ScenarioPlayer(scenario, defaultSettings, seed, 0, feed.post, options.traits);
	const {simulation} = player;
	const view = new ClientView(simulation, options.clockOffset);
	const devices = new DeviceWorld(simulation, options.devices ?? {objects: []});
	const leadership = new Leadership(view, scenario);
	const reported: Divergence[] = [];
	const matches: MatchedAction[] = [];
	let last: ShadowView | undefined;
	const watcher = newWatcher(
		{...settings, ...options.assumed},
		{
			matched: (match) => matches.push(match),
			diverged: (divergence) => reported.push(divergence),
			changed: (shown) => {
				last = shown;
			},
		},
	);
	const silence = options.silence && new Silence(options.silence);
	const observe = (at: Instant, provenance?: Provenance) => {
		const events = feed.takeFresh().map((event): Observation => ({type: 'eventApplied', event}));
		const seen = [...devices.advanceTo(at), ...view.watch(), ...events]
			.filter((one) => leadership.isSeen(one, at, options.hidesLeader ?? false))
			.flatMap((one) => seenAs(one, at))
			.filter((one) => !silence?.keeps(one, at));
		if (seen.length > 0) watcher.observe(seen, at, provenance);
	};
	const waiting = interventions.toSorted((a, b) => a.at - b.at);
	for (let at = watchEvery; at <= scenario.until * second; at += watchEvery) {
		for (; waiting[0] && waiting[0].at * second <= at; waiting.shift()) {
			player.advanceTo(waiting[0].at * second);
			waiting[0].do(simulation);
		}
		leadership.play(player, at);
		player.advanceTo(at);
		const gap = gaps.find(({from, until}) => at > from * second && at <= until * second);
		if (at < startsAt * second) continue;
		if (gap && at < gap.until * second) {
			if (at - watchEvery <= gap.from * second)
				watcher.observe([], at, {type: 'watchLost', since: gap.from * second});
		} else if (gap) {
			observe(at, {type: gap.isForgotten ? 'historyLost' : 'late', since: gap.from * second});
			watcher.observe([], at, {type: 'watchLost', since: undefined});
		} else observe(at);
		const backlog = silence?.end(at);
		if (backlog) watcher.observe(backlog.observations, at, {type: 'late', since: backlog.since});
		watcher.lookAt(at);
		if (options.mayAsk) watcher.ask(view.list(), at);
	}
	const byId = new Map(reported.map((one) => [one.id, one]));
	return {reported, divergences: [...byId.values()], matches, view: last};
}

/** Holds back the observations of a silent watch. */
class Silence {
	readonly #of: string;
	readonly #from: Instant;
	readonly #until: Instant;
	#kept: Observation[] = [];

	constructor({of, from, until}: NonNullable<ShadowRunOptions['silence']>) {
		[this.#of, this.#from, this.#until] = [of, from * second, until * second];
	}

	keeps(one: Observation, now: Instant): boolean {
		const isKept = one.type.startsWith(this.#of) && now > this.#from && now < this.#until;
		if (isKept) this.#kept.push(one);
		return isKept;
	}

	/** What the watch delivers when it is reopened. */
	end(now: Instant): {readonly observations: readonly Observation[]; readonly since: Instant} | undefined {
		if (now < this.#until || this.#kept.length === 0) return undefined;
		const observations = this.#kept;
		this.#kept = [];
		return {observations, since: this.#from};
	}
}

/** The leader renews its lease only while it runs. */
class Leadership {
	readonly #view: ClientView;
	readonly #changes: readonly {readonly at: Instant; readonly isStart: boolean}[];

	constructor(view: ClientView, {steps}: Scenario) {
		this.#view = view;
		this.#changes = steps.flatMap(({at, do: what}) =>
			what === 'start-controllers' || what === 'stop-controllers'
				? {at: at * second, isStart: what === 'start-controllers'}
				: [],
		);
	}

	/** Stops at each controller start, so that each lease has the right acquire time. */
	play(player: ScenarioPlayer, until: Instant): void {
		for (const {at, isStart} of this.#changes) {
			if (!isStart || at > until || at <= player.simulation.now) continue;
			player.advanceTo(at);
			this.#view.controllersStarted = at;
		}
	}

	isSeen(one: Observation, now: Instant, isHidden: boolean): boolean {
		if (one.type !== 'leaseApplied' || !isControllerManagerLease(one.lease)) return true;
		const last = this.#changes.findLast(({at}) => at <= now);
		return !isHidden && (last === undefined || last.isStart);
	}
}

type Watcher = {
	readonly observe: (observations: readonly Observation[], at: Instant, provenance?: Provenance) => void;
	/** Answers the shadow's requests. */
	readonly ask: (present: ClusterSnapshot, at: Instant) => void;
	/** Makes a forecast if one is due. */
	readonly lookAt: (at: Instant) => void;
};

function newWatcher(
	settings: ControllerSettings,
	listener: {
		readonly matched: (match: MatchedAction) => void;
		readonly diverged: (divergence: Divergence) => void;
		readonly changed: (view: ShadowView) => void;
	},
): Watcher {
	const evidence = {
		...{flags: settings, versionFlag: undefined, serverVersion: 'v1.36.3', learned: {}},
		controlPlane: unseenControlPlane('nobody looked'),
	};
	const known = learning(evidence);
	const {store, forecaster} = known;
	const shadow = new Shadow({startedAt: 0, forecaster, store, listeners: [listener]});
	const session = sessionOn({...known, observers: [shadow]});
	let foretoldAt = Number.NEGATIVE_INFINITY;
	let hasBegun = false;
	return {
		observe: (observations, at, provenance) => {
			hasBegun = true;
			session.push(batch(observations, at, provenance));
		},
		ask: ({nodes, pods}, at) => {
			const present = new Map([...nodes, ...pods].map((one) => [one.uid, one]));
			for (const {uid} of shadow.unconfirmed) shadow.answered(present.get(uid), at);
		},
		lookAt: (at) => {
			if (!hasBegun) return;
			const isDue =
				at - foretoldAt >= second || (forecaster.changedAt(at) > foretoldAt && at - foretoldAt >= 250);
			if (!isDue) return;
			foretoldAt = at;
			shadow.add(finish(session.forecastInSteps(at)), at);
		},
	};
}
