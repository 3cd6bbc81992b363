import type {Instant} from '../../src/core/time/instant.ts';
import type {Target} from '../../src/forecast/explain/explanation.ts';
import type {SettingsEvidence} from '../../src/forecast/settings/settingsEvidence.ts';
import {learning} from '../../src/forecast/settingsLearner.ts';
import {systemClock} from '../../src/live/clock.ts';
import {runCooperatively} from '../../src/live/cooperativeTask.ts';
import {tapePlayer} from '../../src/live/player.ts';
import type {Viewer} from '../../src/live/replayCursor.ts';
import type {Recording} from '../../src/recording/format/recording.ts';
import type {RecordedTape} from '../../src/recording/format/tape.ts';
import type {QuestionKind, Subject} from '../../src/ui/scene/questions.ts';
import type {Scene, WhatIfAnswer} from '../../src/ui/scene/scene.ts';
import {lacksOwners, ownersMissing} from '../sources/fileScene.ts';
import {dashboardAnswer} from './dashboardWhatIf.ts';
import {screenSession, waitingQuestions} from './screenSession.ts';

/** A replay from the start of the tape. */
type Watched = ReturnType<typeof screenSession>;

/** A session of the whole recording, and the scenes that it makes. */
function watchedFrom(recording: Recording, evidence: SettingsEvidence, now: () => Instant): Watched {
	const {title} = recording.header;
	const missing = ownersMissing('they are read soon after the start');
	const watched: Watched = screenSession(learning(evidence), (_, session) => session.related, {
		title,
		notes: recording.problems,
		now,
		problemOf: (forecast) => (lacksOwners(forecast, watched.session.related) ? missing : undefined),
	});
	return watched;
}

/** The dashboard's source for a recording: shows at each instant what a live watch would have shown. */
export function replaySource(
	recording: Recording,
	tape: RecordedTape,
	evidence: SettingsEvidence,
	speed: number,
) {
	const listeners = new Set<() => void>();
	const questions = waitingQuestions();
	/** Ends the current work. */
	let signal = new AbortController().signal;

	const notify = () => {
		for (const listener of listeners) listener();
	};

	const now = (): number => (player.state.isSeeking ? shown.at : player.now());

	const begin = () => watchedFrom(recording, evidence, now);

	/** Feeds the tape to a session; its scenes are shown from the first forecast on. */
	const viewer = (watched: Watched): Viewer => {
		const {session, source, deletions, afterwards} = watched;
		return {
			sink: session,
			forecast: async (at, isShown) => {
				// Like a live watch, which waits for the first look.
				if (!session.isAnyKnown) return;
				if (isShown) present = watched;
				const asked = isShown ? questions.next() : undefined;
				if (asked) await runCooperatively(asked, signal);
				const made = await runCooperatively(session.forecastInSteps(at, isShown), signal);
				if (!made) return;
				deletions.add(made.result);
				if (!isShown) return;
				const more = afterwards(made.result);
				if (more) await runCooperatively(more, signal);
				source.publish(made.result);
				shown = {of: watched, scene: source.get(), at};
				notify();
			},
		};
	};

	let present = begin();
	/** The scene on the screen, and of which session; stays while seeking. */
	let shown = {of: present, scene: present.source.get(), at: tape.startedAt};
	const player = tapePlayer(tape, () => viewer(begin()), systemClock, speed, notify);
	const {startedAt, endedAt, marks} = tape;
	return {
		get: (): Scene => shown.scene,
		now,
		subscribe: (listener: () => void) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		explain: (target: Target) => shown.of.source.explain(target),
		/** Computed before the next forecast, in slices, so that keys respond. */
		whatIf: (target: Subject, question: QuestionKind): Promise<WhatIfAnswer> => {
			const answer = questions.ask(() => {
				const {forecast} = shown.scene;
				const {forecaster, session} = present;
				return dashboardAnswer(target, question, forecaster, forecast?.observedAt ?? now(), {
					related: session.related,
					pressure: forecast?.pressure ?? [],
				});
			});
			player.wake();
			return answer;
		},
		tape: {
			marks,
			toggle: player.toggle,
			seek: player.seek,
			get: () => ({startedAt, endedAt, ...player.state}),
		},
		speed: {
			get: () => player.state.speed,
			set: (wanted: number) => {
				player.speed = wanted;
			},
		},
		run: (until: AbortSignal) => {
			signal = until;
			return player.run(until);
		},
	};
}
