import type {ObservationSink, SinkEntry} from '../../src/core/model/observation.ts';
import type {Problem} from '../../src/core/model/problem.ts';
import type {Related} from '../../src/core/model/workloads/related.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {systemClock} from '../../src/live/clock.ts';
import {formatScore, hasScore} from '../../src/print/score.ts';
import type {Display} from '../../src/session/session.ts';
import type {Options} from '../args/options.ts';
import type {Terminal} from '../output/terminal.ts';
import type {Deletions} from '../sources/deletions.ts';
import type {AbsentWords} from './absent.ts';
import {Follower} from './follow.ts';
import {type Listing, requireNodes} from './listings.ts';

/** What a display of a list prints, and where. */
type ListDisplayParts<Item> = {
	readonly listing: Listing<Item>;
	/** Undefined stands for all namespaces. */
	readonly namespace: string | undefined;
	readonly options: Options;
	readonly terminal: Terminal;
	/** What was deleted until now, and how the forecasts did. */
	readonly deletions: Pick<Deletions, 'happenings' | 'score'>;
	/** What tells whose pods they are, as far as that is known by now. */
	readonly related?: () => Related;
	readonly absence?: AbsentWords;
	/** Whether the time is that of a recording, which passes no faster than so many times the real one. */
	readonly recorded?: {readonly speed: number | undefined};
};

/** Prints the list of a session, and then what changes in it: each forecast with all that is wrong. */
export class ListDisplay<Item> implements Display, ObservationSink {
	readonly #parts: ListDisplayParts<Item>;
	readonly #follower: Follower<Item>;
	#problems: readonly Problem[] = [];
	/** When the first forecast was shown, by the clock of the forecasts and by ours. */
	#begin: {readonly at: Instant; readonly real: Instant} | undefined;

	constructor(parts: ListDisplayParts<Item>) {
		this.#parts = parts;
		const {listing, namespace, options, terminal, recorded, related, absence} = parts;
		this.#follower = new Follower(listing, namespace, options, terminal, {
			isRecorded: recorded !== undefined,
			related,
			absence,
		});
	}

	/** Whether anything was shown. */
	get hasShown(): boolean {
		return this.#begin !== undefined;
	}

	push(entry: SinkEntry): void {
		if (entry.type === 'problems') this.#problems = entry.problems;
	}

	/** @throws UserError where the first forecast lacks what was asked for, or what that is made of may not be read */
	async publish(forecast: Forecast, now: Instant): Promise<void> {
		const {listing, options, deletions} = this.#parts;
		// Later it may be that the API server has just started, and knows no roles yet.
		if (!this.#begin) requireNodes(listing, this.#problems);
		await this.#keepPace(now);
		const problems = [...options.controller.notes, ...forecast.problems, ...this.#problems];
		const {happenings, score} = deletions;
		const seen = {...forecast, problems, happenings};
		await this.#follower.publish(seen, now, score);
	}

	/** Says how the forecasts did, where there is anything to say. */
	async end(): Promise<void> {
		const {deletions, terminal} = this.#parts;
		if (hasScore(deletions.score)) await terminal.printError(`${formatScore(deletions.score)}\n`);
	}

	async #keepPace(now: Instant): Promise<void> {
		this.#begin ??= {at: now, real: systemClock.now()};
		const {at, real} = this.#begin;
		const speed = this.#parts.recorded?.speed;
		if (speed === undefined) return;
		await systemClock.sleepUntil(real + (now - at) / speed, new AbortController().signal);
	}
}
