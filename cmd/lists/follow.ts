import type {Problem} from '../../src/core/model/problem.ts';
import {nothingRelated, type Related} from '../../src/core/model/workloads/related.ts';
import {type Duration, type Instant, second} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {Score} from '../../src/forecast/ledger/score.ts';
import type {Seen} from '../../src/print/json/json.ts';
import {Changes} from '../../src/print/tables/changes.ts';
import {UserError} from '../../src/text/userError.ts';
import type {Options} from '../args/options.ts';
import {printIn} from '../output/documentPrinter.ts';
import {isTable} from '../output/tableOptions.ts';
import type {Terminal} from '../output/terminal.ts';
import {FreshWarnings, warnings} from '../output/warnings.ts';
import type {AbsentWords} from '../sources/absent.ts';
import {type Format, followFormat} from './followFormat.ts';
import {type Listing, type PodSelection, selectionOf} from './listings.ts';
import {chosenItems, foldedText, isUnseen, nothingFound, notThere, sorted, unseenWords} from './show.ts';

/** How long a time differs before a table of a watch prints it again. */
const settles: Duration = 2 * second;

/** A watch does not wait for what it may not read. */
export const forbidsPods = ({reason}: Problem): boolean => reason === 'PodsForbidden';

export type FollowedScene = {
	/** Undefined for all namespaces. */
	readonly namespace?: string | undefined;
	/** Whether it is a recording: JSON then includes the times, and only its end shows that nothing came. */
	readonly recorded?: object | undefined;
	/** The owners of pods, as far as known. */
	readonly related?: () => Related;
	/** Called if nothing with a namespace matches. */
	readonly absence?: AbsentWords;
};

/** Prints a list once, then only changed items, as `kubectl get -w` does. */
export class Follower<Item, From extends Seen = Forecast> {
	readonly #listing: Listing<Item, From>;
	readonly #scene: FollowedScene;
	readonly #options: Options;
	readonly #terminal: Terminal;
	readonly #selection: PodSelection<Item>;
	readonly #changes: Changes<Item>;
	readonly #warnings = new FreshWarnings();
	#format: Format<Item> | undefined;
	#isFirst = true;
	/** Says that nothing was found, once that is sure. */
	#sayNothing: (() => Promise<void>) | undefined;

	constructor(listing: Listing<Item, From>, scene: FollowedScene, options: Options, terminal: Terminal) {
		this.#listing = listing;
		this.#scene = scene;
		this.#options = options;
		this.#terminal = terminal;
		const {namespace, related = () => nothingRelated} = scene;
		this.#selection = selectionOf(listing, options.filter, namespace, related);
		const {isShown, isFolded} = this.#selection;
		const folds = isTable(options);
		this.#changes = new Changes(
			listing.kind,
			(item) => isShown(item) && !(folds && isFolded(item)),
			folds ? settles : 0,
		);
	}

	/** @throws UserError if the first forecast lacks a named object, or is empty because pods may not be read */
	async publish(forecast: From, now: Instant, score: Score): Promise<void> {
		const meant = this.#listing.itemsOf(forecast).filter(this.#selection.isSelected);
		const {changed, added, gone} = this.#changes.update(meant, now);
		if (!(this.#isFirst && this.#options.flags.watchOnly)) {
			const isRecorded = this.#scene.recorded !== undefined;
			this.#format ??= await followFormat(this.#listing, this.#options, isRecorded, this.#terminal);
			// As in kubectl, only the first list is sorted.
			const ordered = this.#isFirst ? sorted(changed, this.#listing, this.#options) : changed;
			const text = await this.#format.print({changed: ordered, added, gone}, now, score);
			if (text !== '') await printIn(this.#terminal, this.#options.output)(text);
		}
		const fresh = this.#warnings.among(forecast.problems);
		await this.#terminal.printError(warnings(fresh, now, this.#options));
		if (this.#isFirst) await this.#greet(forecast, now);
		else if (changed.length > 0) this.#sayNothing = undefined;
		this.#isFirst = false;
	}

	/** Says what a quiet watch waits for, so that it is not mistaken for a blind one. */
	async #greet(forecast: From, now: Instant): Promise<void> {
		const [listing, options] = [this.#listing, this.#options];
		const {namespace, recorded, related = () => nothingRelated, absence} = this.#scene;
		const scene = {forecast, now, namespace, related: related(), ...(absence && {absence})};
		const {selected, items, folded, missing} = chosenItems(listing, scene, options);
		if (missing.length > 0)
			throw new UserError(missing.map((name) => notThere(name, listing, forecast, namespace)).join('; '), '');
		if (items.length === 0) {
			// Where nodes alone are forbidden, pods may still appear.
			if (!recorded && isUnseen(listing, forecast) && forecast.problems.some(forbidsPods))
				throw new UserError(unseenWords(listing), '');
			this.#sayNothing = async () =>
				this.#terminal.printError(await nothingFound(listing, scene, options, selected));
			if (!recorded) await this.end();
		}
		await this.#terminal.printError(foldedText(folded));
	}

	/** Says so if a recording showed nothing until its end. */
	async end(): Promise<void> {
		await this.#sayNothing?.();
		this.#sayNothing = undefined;
	}
}
