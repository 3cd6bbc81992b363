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
import type {Listing} from './listings.ts';
import {missingNames, type PodSelection, selectionOf} from './select.ts';
import {foldedText, nothingFound, notThere, sorted} from './show.ts';

/** How long a time differs before a table of a watch prints it again. */
const settles: Duration = 2 * second;

type FollowedBy = {
	readonly isRecorded?: boolean;
	readonly related?: (() => Related) | undefined;
	/** Called if nothing with a namespace matches. */
	readonly absence?: AbsentWords | undefined;
};

/** Prints a list once, then only changed items, as `kubectl get -w` does. */
export class Follower<Item, From extends Seen = Forecast> {
	readonly #listing: Listing<Item, From>;
	readonly #options: Options;
	readonly #namespace: string | undefined;
	readonly #terminal: Terminal;
	readonly #selection: PodSelection<Item>;
	readonly #changes: Changes<Item>;
	readonly #isRecorded: boolean;
	readonly #absence: AbsentWords | undefined;
	readonly #warnings = new FreshWarnings();
	#format: Format<Item> | undefined;
	#isFirst = true;

	/** @param isRecorded whether JSON includes the times, a recording's @param related the owners of pods, as far as known */
	constructor(
		listing: Listing<Item, From>,
		namespace: string | undefined,
		options: Options,
		terminal: Terminal,
		{isRecorded = false, related = () => nothingRelated, absence}: FollowedBy = {},
	) {
		this.#listing = listing;
		this.#options = options;
		this.#namespace = namespace;
		this.#terminal = terminal;
		this.#selection = selectionOf(listing, options.filter, namespace, related);
		const {isShown, isFolded} = this.#selection;
		const folds = isTable(options);
		this.#changes = new Changes(
			listing.kind,
			(item) => isShown(item) && !(folds && isFolded(item)),
			isTable(options) ? settles : 0,
		);
		this.#isRecorded = isRecorded;
		this.#absence = absence;
	}

	/** @throws UserError if the first forecast lacks a named object */
	async publish(forecast: From, now: Instant, score: Score): Promise<void> {
		const meant = this.#listing.itemsOf(forecast).filter(this.#selection.isSelected);
		const {changed, added, gone} = this.#changes.update(meant, now);
		if (!(this.#isFirst && this.#options.flags.watchOnly)) {
			this.#format ??= await followFormat(this.#listing, this.#options, this.#isRecorded, this.#terminal);
			const text = await this.#format.print({changed: this.#inOrder(changed), added, gone}, now, score);
			if (text !== '') await printIn(this.#terminal, this.#options.output)(text);
		}
		const fresh = this.#warnings.among(forecast.problems);
		await this.#terminal.printError(warnings(fresh, now, this.#options));
		if (this.#isFirst) await this.#greet(meant, changed, forecast);
		this.#isFirst = false;
	}

	// As in kubectl, only the first list is sorted.
	#inOrder(items: readonly Item[]): readonly Item[] {
		return this.#isFirst ? sorted(items, this.#listing, this.#options) : items;
	}

	// Prints a message if the first list is empty, so that a quiet watch is not mistaken for a blind one.
	async #greet(meant: readonly Item[], shown: readonly Item[], forecast: From): Promise<void> {
		const missing = missingNames(this.#listing, this.#options.filter, meant);
		if (missing.length > 0 && !this.#options.flags.ignoreNotFound) {
			const texts = missing.map((name) => notThere(name, this.#listing, forecast, this.#namespace));
			throw new UserError(texts.join('; '), '');
		}
		const {isShown, isFolded} = this.#selection;
		const folded = isTable(this.#options) ? meant.filter((item) => isShown(item) && isFolded(item)) : [];
		const namespace = this.#namespace;
		if (shown.length === 0) {
			const absence = meant.length === 0 ? this.#absence : undefined;
			const text = await nothingFound(this.#listing, this.#options, {namespace, forecast, absence});
			await this.#terminal.printError(text);
		}
		await this.#terminal.printError(foldedText(folded.length));
	}
}
