import {UserError} from '../src/cluster/userError.ts';
import type {Problem} from '../src/core/model/clusterSnapshot.ts';
import type {Instant} from '../src/core/time/instant.ts';
import type {Forecast} from '../src/forecast/forecast.ts';
import type {Score} from '../src/forecast/score/score.ts';
import {Changes} from '../src/print/changes.ts';
import {formatJsonLine, goneJson, itemJson} from '../src/print/json.ts';
import {formatNames} from '../src/print/names.ts';
import {withScore} from '../src/print/score.ts';
import {Table} from '../src/print/table.ts';
import {formatTimestamp} from '../src/print/timestamp.ts';
import type {Listing} from './listing.ts';
import type {Options} from './options.ts';
import {missingNames, type Selection, selectionOf} from './select.ts';
import {nothingFound, warnings} from './show.ts';
import type {Terminal} from './terminal.ts';

/** Writes items that are new or different, and items that are gone. */
type Format<Item> = (changed: readonly Item[], gone: readonly Item[], now: Instant, score: Score) => string;

/** Prints one kind of a forecast once, and of later ones only what is different, as `kubectl get -w` does. */
export class Follower<Item> {
	readonly #listing: Listing<Item>;
	readonly #options: Options;
	readonly #namespace: string | undefined;
	readonly #terminal: Terminal;
	readonly #selection: Selection<Item>;
	readonly #changes: Changes<Item>;
	readonly #format: Format<Item>;
	#warned: readonly Problem[] = [];
	#isFirst = true;

	/** @param isRecorded whether the time is that of a recording: then JSON tells it */
	constructor(
		listing: Listing<Item>,
		namespace: string | undefined,
		options: Options,
		terminal: Terminal,
		{isRecorded = false} = {},
	) {
		this.#listing = listing;
		this.#options = options;
		this.#namespace = namespace;
		this.#terminal = terminal;
		this.#selection = selectionOf(listing, options.filter, namespace);
		this.#changes = new Changes(listing.kind, this.#selection.isShown);
		this.#format = formatOf(listing, options, isRecorded);
	}

	/** @throws UserError where the first forecast lacks something that was asked for by name. */
	async publish(forecast: Forecast, now: Instant, score: Score): Promise<void> {
		const meant = this.#listing.kind.itemsOf(forecast).filter(this.#selection.isMeant);
		const {changed, gone} = this.#changes.update(meant, now);
		const text = this.#format(changed, gone, now, score);
		if (text !== '') await this.#terminal.print(text);
		await this.#warn(forecast.problems);
		if (this.#isFirst) await this.#greet(meant, changed, forecast.problems);
		this.#isFirst = false;
	}

	// A watch that starts in silence would leave open whether it sees anything.
	async #greet(meant: readonly Item[], shown: readonly Item[], problems: readonly Problem[]): Promise<void> {
		const missing = missingNames(this.#listing, this.#options.filter, meant);
		if (missing.length > 0) {
			const names = missing.map((name) => `"${name}"`).join(', ');
			throw new UserError(`${this.#listing.plural} ${names} not found`, '');
		}
		if (shown.length > 0) return;
		const namespace = this.#namespace;
		await this.#terminal.printError(nothingFound(this.#listing, this.#options, {namespace, problems}));
	}

	async #warn(problems: readonly Problem[]): Promise<void> {
		const isKnown = ({reason, message}: Problem) =>
			this.#warned.some((known) => known.reason === reason && known.message === message);
		const fresh = problems.filter((problem) => !isKnown(problem));
		this.#warned = problems;
		if (fresh.length > 0) await this.#terminal.printError(warnings(fresh));
	}
}

function formatOf<Item>(
	{kind}: Listing<Item>,
	{output, showHeaders}: Options,
	isRecorded: boolean,
): Format<Item> {
	switch (output) {
		case 'name':
			return (changed, gone) => formatNames(kind, [...changed, ...gone]);
		// JSON is YAML, too: in a stream each item has its own line either way.
		case 'json':
		case 'yaml':
			return (changed, gone, now, score) =>
				[...changed.map((item) => itemJson(kind, item)), ...gone.map((item) => goneJson(kind, item))]
					.map((item) => (isRecorded ? withInstant(item, now) : item))
					.map((item) => formatJsonLine(withScore(item, score)))
					.map((line) => (output === 'yaml' ? `---\n${line}` : line))
					.join('');
		case 'table':
		case 'wide': {
			const table = new Table(kind, {isWide: output === 'wide', showHeaders});
			return (changed, gone, now) => table.rows(changed, now) + table.goneRows(gone, now);
		}
	}
}

/** An item of a recording with the recorded time in its metadata: the reader's own clock tells nothing of it. */
const withInstant = <Item extends {readonly kind: string; readonly metadata?: object}>(
	item: Item,
	now: Instant,
) => ({
	...item,
	metadata: {...item.metadata, observedAt: formatTimestamp(now)},
});
