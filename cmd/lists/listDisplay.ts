import type {ObservationSink, SinkEntry} from '../../src/core/model/observation.ts';
import type {Problem} from '../../src/core/model/problem.ts';
import type {Related} from '../../src/core/model/workloads/related.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {Forecaster} from '../../src/forecast/forecaster.ts';
import {systemClock} from '../../src/live/clock.ts';
import {formatScore, hasScore} from '../../src/print/score.ts';
import type {Display} from '../../src/session/session.ts';
import type {Options} from '../args/options.ts';
import type {Terminal} from '../output/terminal.ts';
import type {AbsentWords} from '../sources/absent.ts';
import type {Deletions} from '../sources/deletions.ts';
import {Follower} from './follow.ts';
import {type Listing, requireNodes} from './listings.ts';

type ListDisplayParts<Item> = {
	readonly listing: Listing<Item>;
	/** Undefined for all namespaces. */
	readonly namespace: string | undefined;
	readonly options: Options;
	readonly terminal: Terminal;
	/** Deletions so far, and the score of the forecasts. */
	readonly deletions: Pick<Deletions, 'happenings' | 'score'>;
	/** The owners of pods, as far as known. */
	readonly related?: () => Related;
	readonly absence?: AbsentWords;
	readonly forecaster: Pick<Forecaster, 'onlyControllerHost'>;
	/** Set for a recording; `speed` limits its pace, in recorded seconds per real second. */
	readonly recorded?: {readonly speed: number | undefined};
};

/** Prints the list of a session, then its changes, with all problems. */
export class ListDisplay<Item> implements Display, ObservationSink {
	readonly #parts: ListDisplayParts<Item>;
	readonly #follower: Follower<Item>;
	#problems: readonly Problem[] = [];
	/** The time of the first forecast, by the session's clock and by the real clock. */
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

	get hasShown(): boolean {
		return this.#begin !== undefined;
	}

	push(entry: SinkEntry): void {
		if (entry.type === 'problems') this.#problems = entry.problems;
	}

	/** @throws UserError if the first forecast lacks a named object, or nodes may not be listed */
	async publish(forecast: Forecast, now: Instant): Promise<void> {
		const {listing, options, deletions, forecaster} = this.#parts;
		// A later error may come from a restarting API server whose roles are not loaded yet.
		if (!this.#begin) requireNodes(listing, this.#problems);
		await this.#keepPace(now);
		const problems = [...options.controller.notes, ...forecast.problems, ...this.#problems];
		const {happenings, score} = deletions;
		const onlyControllerHost = listing.plural === 'zones' ? forecaster.onlyControllerHost(now) : undefined;
		const seen = {...forecast, problems, happenings, onlyControllerHost};
		await this.#follower.publish(seen, now, score);
	}

	/** Prints the score of the forecasts, if there is one. */
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
