import type {Explanation, Target} from '../../src/forecast/explain/explanation.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {Forecaster} from '../../src/forecast/forecaster.ts';
import type {Pausable} from '../../src/forecast/pausable.ts';
import {learning} from '../../src/forecast/settingsLearner.ts';
import {systemClock} from '../../src/live/clock.ts';
import {runCooperatively} from '../../src/live/cooperativeTask.ts';
import {Player} from '../../src/live/player.ts';
import type {Viewer} from '../../src/live/replayCursor.ts';
import type {Recording} from '../../src/recording/format/recording.ts';
import type {RecordedTape} from '../../src/recording/format/tape.ts';
import {type ForecastStage, Session} from '../../src/session/session.ts';
import type {QuestionKind} from '../../src/ui/scene/questions.ts';
import type {Scene, SceneSource, SpeedControl, WhatIfAnswer} from '../../src/ui/scene/scene.ts';
import type {TapeControl} from '../../src/ui/scene/tape.ts';
import {Deletions} from '../sources/deletions.ts';
import {ImpactDecorator} from '../sources/impactDecorator.ts';
import {PressureStage} from '../sources/pressureStage.ts';
import {Questions} from '../sources/questions.ts';
import type {SettingsInForce} from '../sources/settingsInForce.ts';
import {LiveSource} from './dashboardSource.ts';
import {dashboardAnswer} from './dashboardWhatIf.ts';

type ReplayParts = {
	readonly recording: Recording;
	readonly tape: RecordedTape;
	readonly inForce: SettingsInForce;
	readonly speed: number;
};

/** A replay from the start of the tape. */
type Watched = {
	readonly session: Session;
	readonly forecaster: Forecaster;
	readonly pressure: PressureStage;
	readonly live: LiveSource;
	readonly deletions: Deletions;
	readonly decorator: ImpactDecorator;
};

/** The dashboard's source for a recording: shows at each instant what a live watch would have shown. */
export class ReplaySource implements SceneSource {
	readonly #parts: ReplayParts;
	readonly #listeners = new Set<() => void>();
	readonly #player: Player;
	readonly tape: TapeControl;
	readonly speed: SpeedControl;
	readonly #questions = new Questions();
	#of: Watched;
	/** Ends the current work. */
	#signal = new AbortController().signal;
	/** The scene on the screen; stays while seeking. */
	#shown: {readonly scene: Scene; readonly at: number};

	constructor(parts: ReplayParts) {
		this.#parts = parts;
		const {tape, speed} = parts;
		this.#of = this.#begin();
		this.#shown = {scene: this.#of.live.get(), at: tape.startedAt};
		this.#player = new Player(
			tape,
			() => this.#viewer(this.#begin()),
			systemClock,
			speed,
			() => this.#notify(),
		);
		const {startedAt, endedAt, marks} = tape;
		this.tape = {
			marks,
			get: () => ({startedAt, endedAt, ...this.#player.state}),
			toggle: () => this.#player.toggle(),
			seek: (to) => this.#player.seek(to),
		};
		this.speed = {
			get: () => this.#player.state.speed,
			set: (wanted) => {
				this.#player.speed = wanted;
			},
		};
	}

	get = (): Scene => this.#shown.scene;

	now = (): number => (this.#player.state.isSeeking ? this.#shown.at : this.#player.now());

	subscribe = (listener: () => void): (() => void) => {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	};

	explain = (target: Target): Explanation | undefined => {
		const {forecaster, pressure} = this.#of;
		const at = this.#shown.scene.forecast?.observedAt ?? this.now();
		return pressure.explained(forecaster.explain(target, at), at);
	};

	/** Computed before the next forecast, in slices, so that keys respond. */
	whatIf = (target: Target, question: QuestionKind): Promise<WhatIfAnswer> => {
		const answer = this.#questions.ask(() => {
			const at = this.#shown.scene.forecast?.observedAt ?? this.now();
			const {forecaster, session} = this.#of;
			return dashboardAnswer(target, question, forecaster, at, {
				related: session.related,
				pressure: this.#shown.scene.forecast?.pressure ?? [],
			});
		});
		this.#player.wake();
		return answer;
	};

	run(signal: AbortSignal): Promise<void> {
		this.#signal = signal;
		return this.#player.run(signal);
	}

	#begin(): Watched {
		const {recording, inForce} = this.#parts;
		const {header} = recording;
		const known = learning(inForce.evidence);
		const {forecaster, store} = known;
		const pressure = new PressureStage(store);
		const deletions = new Deletions(store);
		const decorator = new ImpactDecorator({of: () => session.related});
		const live = new LiveSource({
			...{title: header.title, version: header.kubernetesVersion, isPartial: header.isPartial},
			now: () => this.now(),
			explain: (target, now) => pressure.explained(forecaster.explain(target, now), now),
			settings: () => forecaster.settingList,
			happenings: () => deletions.happenings,
			falseAlarms: () => deletions.falseAlarms,
			notes: recording.problems,
			impacts: (forecast) => decorator.impactsOf(forecast),
		});
		const session: Session = new Session({...known, ledger: deletions, observers: [pressure], taps: [live]});
		return {session, forecaster, pressure, live, deletions, decorator};
	}

	/** Feeds the tape to a session; its scenes are shown from the first forecast on. */
	#viewer(one: Watched): Viewer {
		const {session, live, deletions, pressure, decorator} = one;
		return {
			sink: session,
			forecast: async (now, isShown) => {
				// Like a live watch, which waits for the first look.
				if (!session.isAnyKnown) return;
				if (isShown) this.#of = one;
				const asked = isShown ? this.#questions.next() : undefined;
				if (asked) await runCooperatively(asked, this.#signal);
				const plain = session.forecastInSteps(now);
				const steps = isShown ? preparedSteps(plain, [pressure, decorator], live) : plain;
				const made = await runCooperatively(steps, this.#signal);
				if (!made) return;
				deletions.add(made.result);
				if (!isShown) return;
				live.publish(made.result);
				this.#shown = {scene: live.get(), at: now};
				this.#notify();
			},
		};
	}

	#notify(): void {
		for (const listener of this.#listeners) listener();
	}
}

/** What a shown instant needs; an instant that is not shown needs only the forecast. */
function* preparedSteps(
	plain: Pausable<Forecast>,
	stages: readonly ForecastStage[],
	live: LiveSource,
): Pausable<Forecast> {
	let forecast = yield* plain;
	for (const stage of stages) forecast = yield* stage.extend(forecast);
	yield* live.prepare(forecast);
	return forecast;
}
