import {nothingRelated, type Related} from '../../src/core/model/related.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import type {Explanation, Target} from '../../src/forecast/explain/explanation.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {LearningPredictor} from '../../src/forecast/learningPredictor.ts';
import type {Pausable} from '../../src/forecast/pausable.ts';
import {systemClock} from '../../src/live/clock.ts';
import {inSlices} from '../../src/live/inSlices.ts';
import {Player} from '../../src/live/player.ts';
import type {Viewer} from '../../src/live/track.ts';
import type {Recording} from '../../src/recording/format/recording.ts';
import type {RecordedTape} from '../../src/recording/format/tape.ts';
import {ClusterStore} from '../../src/store/clusterStore.ts';
import {prepareForecast} from '../../src/ui/model/prepare.ts';
import type {QuestionKind} from '../../src/ui/model/questions.ts';
import type {Scene, SceneSource, SpeedControl} from '../../src/ui/model/scene.ts';
import type {TapeControl} from '../../src/ui/model/tape.ts';
import {LiveSource} from '../dashboard/dashboardSource.ts';
import {dashboardAnswer} from '../dashboard/dashboardWhatIf.ts';
import {Afterwards} from '../output/afterwards.ts';
import {Deletions} from './deletions.ts';
import {Questions} from './questions.ts';
import type {SettingsInForce} from './settingsInForce.ts';

/** What there is to play, and by which settings it is foretold. */
export type ReplayParts = {
	readonly recording: Recording;
	readonly tape: RecordedTape;
	readonly inForce: SettingsInForce;
	readonly speed: number;
};

/** A recording as the dashboard takes it: what a live watch would have shown at each instant of it. */
export class ReplaySource implements SceneSource {
	readonly #parts: ReplayParts;
	readonly #listeners = new Set<() => void>();
	readonly #player: Player;
	readonly tape: TapeControl;
	readonly speed: SpeedControl;
	readonly #questions = new Questions();
	#predictor: LearningPredictor;
	/** What belongs to pods at what is shown. */
	#related: Related = nothingRelated;
	/** Ends the work that is under way. */
	#signal = new AbortController().signal;
	/** What is on the screen: on the way to another place it stays. */
	#shown: {readonly scene: Scene; readonly at: number};

	constructor(parts: ReplayParts) {
		this.#parts = parts;
		const {tape, speed, inForce} = parts;
		this.#predictor = new LearningPredictor(inForce.evidence, () => undefined);
		this.#shown = {
			scene: this.#newLive(this.#predictor, new Deletions(new ClusterStore())).get(),
			at: tape.startedAt,
		};
		this.#player = new Player(
			tape,
			() => this.#begin(),
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

	explain = (target: Target): Explanation | undefined =>
		this.#predictor.explain(target, this.#shown.scene.forecast?.observedAt ?? this.now());

	/** Worked out before the next forecast, in slices between which keys are answered. */
	whatIf = (target: Target, question: QuestionKind): Promise<readonly string[]> => {
		const answer = this.#questions.ask(() => {
			const at = this.#shown.scene.forecast?.observedAt ?? this.now();
			return dashboardAnswer(target, question, this.#predictor.forecaster, at, {related: this.#related});
		});
		this.#player.wake();
		return answer;
	};

	/** Plays until the signal. */
	run(signal: AbortSignal): Promise<void> {
		this.#signal = signal;
		return this.#player.run(signal);
	}

	/** Somebody who has seen nothing yet; what is shown is theirs from the first forecast on that is. */
	#begin(): Viewer {
		const store = new ClusterStore();
		const predictor = new LearningPredictor(this.#parts.inForce.evidence, () => undefined, store);
		let related = nothingRelated;
		const afterwards = new Afterwards(() => related);
		const deletions = new Deletions(store);
		for (const one of [deletions, predictor]) store.subscribe(one);
		const live = this.#newLive(predictor, deletions);
		let hasHeard = false;
		const {problems} = this.#parts.recording;
		live.reportProblems(problems);
		return {
			observe: (observations, at, sight) => {
				hasHeard = true;
				live.observe(observations, at, sight);
				store.apply(observations, at, sight);
			},
			reportProblems: (present) => live.reportProblems([...present, ...problems]),
			reportRelated: (read) => {
				related = read;
			},
			foretell: async (now, isShown) => {
				// As a live watch waits for the first look.
				if (!hasHeard) return;
				if (isShown) [this.#predictor, this.#related] = [predictor, related];
				const asked = isShown ? this.#questions.next() : undefined;
				if (asked) await inSlices(asked, this.#signal);
				const steps = isShown ? preparedSteps(predictor, afterwards, now) : predictor.forecastInSteps(now);
				const made = await inSlices(steps, this.#signal);
				if (!made) return;
				deletions.add(made.result);
				if (isShown) this.#show(live, made.result, now);
			},
		};
	}

	#show(live: LiveSource, forecast: Parameters<LiveSource['publish']>[0], now: number): void {
		live.publish(forecast);
		this.#shown = {scene: live.get(), at: now};
		this.#notify();
	}

	#newLive(predictor: LearningPredictor, deletions: Deletions): LiveSource {
		const {header} = this.#parts.recording;
		return new LiveSource({
			...{title: header.title, version: header.kubernetesVersion, isPartial: header.isPartial},
			now: () => this.now(),
			explain: (target, now) => predictor.explain(target, now),
			settings: () => predictor.settings,
			happenings: () => deletions.happenings,
			falseAlarms: () => deletions.falseAlarms,
		});
	}

	#notify(): void {
		for (const listener of this.#listeners) listener();
	}
}

/** What is worked out of an instant that is shown; what nobody sees needs no more than the forecast. */
function* preparedSteps(
	predictor: LearningPredictor,
	afterwards: Afterwards,
	now: Instant,
): Pausable<Forecast> {
	const forecast = yield* afterwards.tell(yield* predictor.forecastInSteps(now));
	yield* prepareForecast(forecast);
	return forecast;
}
