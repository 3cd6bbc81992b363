import type {Cluster} from '../../src/cluster/cluster.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {pressuredNodes} from '../../src/forecast/pressure/observe/pressuredNodes.ts';
import {type Learning, learning} from '../../src/forecast/settingsLearner.ts';
import {clockShowing, systemClock} from '../../src/live/clock.ts';
import {scoreText} from '../../src/print/score.ts';
import type {Recording} from '../../src/recording/format/recording.ts';
import {clusterSource} from '../../src/session/clusterSource.ts';
import {impactDecorator, type RelatedSource} from '../../src/session/impactDecorator.ts';
import {pressureStage} from '../../src/session/pressureStage.ts';
import {type Session, sessionOn} from '../../src/session/session.ts';
import type {Options} from '../args/options.ts';
import {speedOf} from '../args/quantities.ts';
import type {Interruption} from '../output/interruption.ts';
import type {Terminal} from '../output/terminal.ts';
import {warnings} from '../output/warnings.ts';
import {absenceIn} from '../sources/absent.ts';
import {deletionLedger} from '../sources/deletions.ts';
import {scopeOf} from '../sources/look.ts';
import {relatedOf} from '../sources/owners.ts';
import {watchedSelection} from '../sources/reading.ts';
import {evidenceOfRecording} from '../sources/recordedSettings.ts';
import {relatedReader} from '../sources/relatedReader.ts';
import {learningOf} from '../sources/settingsInForce.ts';
import {startingAnew} from '../sources/startingAnew.ts';
import {type FollowedScene, listFollower} from './follow.ts';
import {type Listing, printsOutcomes, requireNodes, withListing} from './listings.ts';

/** Prints a list for `-w`, then its changes until interrupted. */
export const followCluster = (
	cluster: Cluster,
	options: Options,
	terminal: Terminal,
	interruption: Interruption,
) =>
	withListing(options.command, (listing) =>
		startingAnew(options, interruption.signal, async (own) => {
			const {controller, filter} = own;
			const known = await interruption.cutShort(learningOf(cluster, controller));
			if (known) {
				const namespace = scopeOf(own, cluster.namespace);
				const owners = await relatedOf(filter.owners, namespace, cluster.related);
				const kubelets = pressuredNodes(known.store);
				const fallback = {namespace: cluster.namespace, isAsked: namespace !== undefined};
				const source = clusterSource(cluster, watchedSelection(own, known), fallback, kubelets);
				const outcomes = relatedReader(cluster).of;
				const absence = () => absenceIn(cluster, namespace, own);
				const scene = {namespace, outcomes, related: () => owners, absence};
				await followList({listing, known, scene}, own, terminal, (session) =>
					session.run(source, clockShowing(cluster.now), interruption.signal),
				);
			}
			interruption.passOn();
			return known ? 0 : 1;
		}),
	);

/** Prints what a watch would have printed during the recording: at once, or at the pace of `--speed`. */
export async function followRecording<Item>(
	listing: Listing<Item>,
	recording: Recording,
	options: Options,
	terminal: Terminal,
) {
	const known = learning(evidenceOfRecording(options.controller, recording.header));
	const scene = {
		namespace: options.filter.allNamespaces ? undefined : options.flags.namespace,
		outcomes: (_: Forecast, session: Session) => session.related,
		isRecorded: true,
		speed: speedOf(options.flags.speed),
	};
	await followList({listing, known, scene}, options, terminal, async (session) => {
		const end = await session.play(recording.entries());
		if (!session.isAnyKnown) throw recording.nothingSeen(end ?? recording.startedAt);
		await terminal.printError(warnings(recording.problems, recording.startedAt, options));
	});
	return 0;
}

type FollowedList<Item> = {
	readonly listing: Listing<Item>;
	readonly known: Learning;
	readonly scene: FollowedScene & {
		/** What shows what becomes of the pods, where that is printed. */
		readonly outcomes: RelatedSource;
		/** Limits the pace of a recording, in recorded seconds per real second. */
		readonly speed?: number | undefined;
	};
};

/** Prints the list of a session, then its changes with all problems while it runs, at last the score of the forecasts. */
async function followList<Item>(
	{listing, known, scene}: FollowedList<Item>,
	options: Options,
	terminal: Terminal,
	run: (session: Session) => Promise<void>,
) {
	const {namespace, outcomes, speed} = scene;
	const deletions = deletionLedger(known.store, namespace);
	const follower = listFollower(listing, scene, options, terminal);
	let begin: {readonly at: Instant; readonly real: Instant} | undefined;
	const publish = async (forecast: Forecast, now: Instant) => {
		// A later error may come from a restarting API server whose roles are not loaded yet.
		if (!begin) requireNodes(listing, session.problems);
		begin ??= {at: now, real: systemClock.now()};
		if (speed !== undefined)
			await systemClock.sleepUntil(begin.real + (now - begin.at) / speed, new AbortController().signal);
		const problems = [...options.controller.notes, ...forecast.problems, ...session.problems];
		const seen = {...forecast, problems, happenings: deletions.happenings()};
		await follower.publish(seen, now, deletions.score());
	};
	const session: Session = sessionOn({
		...known,
		ledger: deletions,
		display: {publish},
		stages: [
			pressureStage(known.store),
			printsOutcomes(options) ? impactDecorator((forecast) => outcomes(forecast, session)) : undefined,
		],
	});
	await run(session);
	await follower.end();
	await terminal.printError(scoreText(deletions.score()));
}
