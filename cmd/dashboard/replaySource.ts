import type {Explanation, Target} from '../../src/forecast/explain/explanation.ts';
import {learning} from '../../src/forecast/settingsLearner.ts';
import {systemClock} from '../../src/live/clock.ts';
import {runCooperatively} from '../../src/live/cooperativeTask.ts';
import {Player} from '../../src/live/player.ts';
import type {Viewer} from '../../src/live/replayCursor.ts';
import type {Recording} from '../../src/recording/format/recording.ts';
import type {RecordedTape} from '../../src/recording/format/tape.ts';
import type {QuestionKind} from '../../src/ui/scene/questions.ts';
import type {Scene, SceneSource, SpeedControl, WhatIfAnswer} from '../../src/ui/scene/scene.ts';
import type {TapeControl} from '../../src/ui/scene/tape.ts';
import type {SettingsInForce} from '../sources/settingsInForce.ts';
import {dashboardAnswer} from './dashboardWhatIf.ts';
import {Questions, screenSession} from './screenSession.ts';

type ReplayParts = {
	readonly recording: Recording;
	readonly tape: RecordedTape;
	readonly inForce: SettingsInForce;
	readonly speed: number;
};

/** A replay from the start of the tape. */
type Watched = ReturnType<typeof screenSession>;

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
	/** The scene on the screen, and of which session; stays while seeking. */
	#shown: {readonly of: Watched; readonly scene: Scene; readonly at: number};

	constructor(parts: ReplayParts) {
		this.#parts = parts;
		const {tape, speed} = parts;
		this.#of = this.#begin();
		this.#shown = {of: this.#of, scene: this.#of.source.get(), at: tape.startedAt};
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

	explain = (target: Target): Explanation | undefined => this.#shown.of.source.explain(target);

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
		const {title, kubernetesVersion} = recording.header;
		return screenSession(learning(inForce.evidence), (session) => ({of: () => session.related}), {
			...{title, version: kubernetesVersion, notes: recording.problems},
			now: () => this.now(),
		});
	}

	/** Feeds the tape to a session; its scenes are shown from the first forecast on. */
	#viewer(one: Watched): Viewer {
		const {session, source, deletions} = one;
		return {
			sink: session,
			forecast: async (now, isShown) => {
				// Like a live watch, which waits for the first look.
				if (!session.isAnyKnown) return;
				if (isShown) this.#of = one;
				const asked = isShown ? this.#questions.next() : undefined;
				if (asked) await runCooperatively(asked, this.#signal);
				const made = await runCooperatively(session.forecastInSteps(now, isShown), this.#signal);
				if (!made) return;
				deletions.add(made.result);
				if (!isShown) return;
				source.publish(made.result);
				this.#shown = {of: one, scene: source.get(), at: now};
				this.#notify();
			},
		};
	}

	#notify(): void {
		for (const listener of this.#listeners) listener();
	}
}
