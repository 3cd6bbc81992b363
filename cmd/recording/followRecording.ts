import type {Problem} from '../../src/core/model/clusterSnapshot.ts';
import {nothingRelated} from '../../src/core/model/related.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {LearningPredictor} from '../../src/forecast/learningPredictor.ts';
import {ScoreKeeper} from '../../src/forecast/ledger/score.ts';
import {withAfter} from '../../src/impact/withAfter.ts';
import {systemClock} from '../../src/live/clock.ts';
import {playThrough} from '../../src/live/tape.ts';
import {formatScore, hasScore} from '../../src/print/score.ts';
import type {Recording} from '../../src/recording/format/recording.ts';
import {ClusterStore} from '../../src/store/clusterStore.ts';
import {UserError} from '../../src/text/userError.ts';
import type {Options} from '../args/options.ts';
import {speedOf} from '../args/speed.ts';
import {Follower} from '../output/follow.ts';
import {type Listing, requireNodes} from '../output/listing.ts';
import {saysAfter} from '../output/saysAfter.ts';
import {warnings} from '../output/show.ts';
import type {Terminal} from '../output/terminal.ts';
import {settingsOfRecording} from '../sources/recordedSettings.ts';

/** Prints what a watch would have printed while it was recorded: at once, or at the pace of `--speed`. */
export async function followRecording<Item>(
	listing: Listing<Item>,
	recording: Recording,
	options: Options,
	terminal: Terminal,
): Promise<number> {
	const {evidence} = settingsOfRecording(options.controller, recording.header);
	const store = new ClusterStore();
	const predictor = new LearningPredictor(evidence, () => undefined, store);
	const keeper = new ScoreKeeper(store);
	for (const one of [keeper, predictor]) store.subscribe(one);
	const namespace = options.filter.allNamespaces ? undefined : options.flags.namespace;
	const follower = new Follower(listing, namespace, options, terminal, {isRecorded: true});
	const wait = paceOf(speedOf(options.flags.speed));
	let problems: readonly Problem[] = [];
	let related = nothingRelated;
	let hasShown = false;
	await playThrough(
		recording.entries(),
		{
			observe: (observations, at, sight) => void store.apply(observations, at, sight),
			reportProblems: (present) => {
				if (!hasShown) requireNodes(listing, present);
				problems = present;
			},
			reportRelated: (read) => {
				related = read;
			},
		},
		async (now) => {
			await wait(now);
			hasShown = true;
			const forecast = predictor.forecast(now);
			keeper.add(forecast);
			const all = [...options.controller.notes, ...forecast.problems, ...problems];
			const shown = {...forecast, problems: all};
			await follower.publish(saysAfter(options) ? withAfter(shown, related) : shown, now, keeper.score);
		},
	);
	if (!hasShown) throw new UserError(`nothing was seen while ${recording.name} was written`, '');
	await terminal.printError(warnings(recording.problems));
	if (hasScore(keeper.score)) await terminal.printError(`${formatScore(keeper.score)}\n`);
	return 0;
}

/** What makes recorded time pass no faster than so many times the real one. */
function paceOf(speed: number | undefined): (now: Instant) => Promise<void> {
	if (speed === undefined) return async () => undefined;
	const never = new AbortController().signal;
	let begin: {readonly recorded: Instant; readonly real: Instant} | undefined;
	return (now) => {
		begin ??= {recorded: now, real: systemClock.now()};
		return systemClock.sleepUntil(begin.real + (now - begin.recorded) / speed, never);
	};
}
