import {latest} from '../../src/core/collections/latest.ts';
import type {ControlPlane} from '../../src/core/model/controlPlane.ts';
import {controllerManagerLease} from '../../src/core/model/lease.ts';
import type {ObservationSink} from '../../src/core/model/observation.ts';
import {podKey} from '../../src/core/model/pod.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {Forecaster} from '../../src/forecast/forecaster.ts';
import type {Pausable} from '../../src/forecast/pausable.ts';
import {otherSettings} from '../../src/forecast/settings/otherSettings.ts';
import type {Setting} from '../../src/forecast/settings/setting.ts';
import type {Learning} from '../../src/forecast/settingsLearner.ts';
import {type FirstReturn, firstReturnsInSteps} from '../../src/forecast/whatif/firstReturns.ts';
import {impactDecorator, type RelatedSource} from '../../src/session/impactDecorator.ts';
import {pressureStage} from '../../src/session/pressureStage.ts';
import {type Session, type SessionParts, sessionOn} from '../../src/session/session.ts';
import {tookOverAt} from '../output/takeover.ts';
import {deletionLedger} from '../sources/deletions.ts';
import {type LiveParts, liveSource} from './dashboardSource.ts';

export type ScreenParts = Omit<
	LiveParts,
	'explain' | 'impacts' | 'happenings' | 'falseAlarms' | 'tookOverAt' | 'settings' | 'version'
> &
	Pick<SessionParts, 'share'> & {
		/** Whether pressure is forecast as soon as a kubelet has answered. */
		readonly isEager?: boolean;
		/** Receive what the source delivers, besides the dashboard. */
		readonly taps?: readonly ObservationSink[];
		readonly questions?: Questions;
	};

/** The dashboard's source, and the session that feeds it: with pressure, judged deletions, and what follows for workloads. */
export function screenSession(
	known: Learning,
	relatedOf: RelatedSource,
	{isEager, taps = [], questions, share, ...parts}: ScreenParts,
) {
	const {store, forecaster, learner} = known;
	const pressure = pressureStage(store, isEager);
	const deletions = deletionLedger(store);
	const impact = impactDecorator((forecast) => relatedOf(forecast, session));
	const source = liveSource({
		...parts,
		version: learner.evidence.serverVersion,
		settings: allSettings(forecaster, learner.evidence.controlPlane),
		explain: (target, at) => pressure.explained(forecaster.explain(target, at), at),
		impacts: (forecast) => impact.impactsOf(forecast),
		happenings: deletions.happenings,
		falseAlarms: () => deletions.score().falseAlarms,
		tookOverAt: (forecast) => tookOverAt(store.leases.get(podKey(controllerManagerLease)), forecast),
	});
	const afterwards = firstReturnsBeside(forecaster, source.showReturns);
	const session: Session = sessionOn({
		...known,
		taps: [source, ...taps],
		ledger: deletions,
		stages: [pressure, impact],
		display: source,
		screen: {prepare: (forecast) => source.prepare(forecast), sideWork: questions?.next, afterwards},
		...(share !== undefined && {share}),
	});
	return {source, session, deletions, forecaster, afterwards};
}

/** All settings that the command `settings` lists; the same array until one changes. */
function allSettings(forecaster: Forecaster, controlPlane: ControlPlane): () => readonly Setting[] {
	const {leases} = forecaster.store;
	// Some are read from leases, once there are any.
	const joined = latest((list: readonly Setting[], _hasLeases: boolean) => [
		...list,
		...Object.values(otherSettings([...leases.values()], controlPlane)),
	]);
	return () => joined(forecaster.settingList, leases.size > 0);
}

/** The share of the time that may be spent on what to do first. */
const returnsShare = 0.02;

/** Finds what to do first, once for each of the forecasts, as often as it may take its time. @param show receives it */
export function firstReturnsBeside(
	forecaster: Forecaster,
	show: (returns: readonly FirstReturn[]) => void,
	clock = () => performance.now(),
) {
	let last: Forecast | undefined;
	let notBefore = Number.NEGATIVE_INFINITY;
	return (shown: Forecast): Pausable<void> | undefined => {
		// Of one that is shown again, other things have been observed since.
		const isNew = shown !== last;
		last = shown;
		if (!isNew || clock() < notBefore) return undefined;
		return (function* () {
			const begunAt = clock();
			show(yield* firstReturnsInSteps(forecaster, yield* forecaster.forecastInSteps(shown.observedAt)));
			notBefore = clock() + (clock() - begunAt) / returnsShare;
		})();
	};
}

export type Questions = ReturnType<typeof waitingQuestions>;

/** Questions, each answered between two forecasts, as its subject must not change, and in slices, so that keys respond. */
export function waitingQuestions() {
	const waiting: (() => Pausable<void>)[] = [];
	return {
		/** Queues a question; resolves with the answer. */
		ask<Answer>(work: () => Pausable<Answer>) {
			const {promise, resolve, reject} = Promise.withResolvers<Answer>();
			waiting.push(function* () {
				try {
					resolve(yield* work());
				} catch (error) {
					reject(error);
				}
			});
			return promise;
		},
		/** The longest waiting question; undefined if there is none. */
		next: () => waiting.shift()?.(),
	};
}
