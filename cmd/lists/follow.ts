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
import {freshWarnings, warnings} from '../output/warnings.ts';
import type {AbsentWords} from '../sources/absent.ts';
import {type Format, followFormat} from './followFormat.ts';
import {type Listing, selectionOf} from './listings.ts';
import {chosenItems, foldedText, isUnseen, nothingFound, notThere, sorted, unseenWords} from './show.ts';

/** How long a time differs before a table of a watch prints it again. */
const settles: Duration = 2 * second;

/** A watch does not wait for what it may not read. */
export const forbidsPods = ({reason}: Problem) => reason === 'PodsForbidden';

export type FollowedScene = Readonly<{
	/** Undefined for all namespaces. */
	namespace?: string | undefined;
	/** Whether it is a recording: JSON then includes the times, and only its end shows that nothing came. */
	isRecorded?: boolean;
	/** The owners of pods, as far as known. */
	related?: () => Related;
	/** Called if nothing with a namespace matches. */
	absence?: AbsentWords;
}>;

/** Prints a list once, then only changed items, as `kubectl get -w` does. */
export function listFollower<Item, From extends Seen = Forecast>(
	listing: Listing<Item, From>,
	{namespace, isRecorded = false, related = () => nothingRelated, absence}: FollowedScene,
	options: Options,
	terminal: Terminal,
) {
	const {isSelected, isShown, isFolded} = selectionOf(listing, options.filter, namespace, related);
	const folds = isTable(options);
	const changes = new Changes<Item>(
		listing.kind,
		(item) => isShown(item) && !(folds && isFolded(item)),
		folds ? settles : 0,
	);
	const fresh = freshWarnings();
	let format: Format<Item> | undefined;
	let isFirst = true;
	/** Says that nothing was found, once that is sure. */
	let sayNothing: (() => Promise<void>) | undefined;

	/** Says so if a recording showed nothing until its end. */
	const end = async () => {
		await sayNothing?.();
		sayNothing = undefined;
	};

	/** Says what a quiet watch waits for, so that it is not mistaken for a blind one. */
	const greet = async (forecast: From, now: Instant) => {
		const scene = {forecast, now, namespace, related: related(), absence, options, terminal};
		const {selected, items, folded, missing} = chosenItems(listing, scene);
		if (missing.length > 0)
			throw new UserError(missing.map((name) => notThere(name, listing, forecast, namespace)).join('; '), '');
		if (items.length === 0) {
			// Where nodes alone are forbidden, pods may still appear.
			if (!isRecorded && isUnseen(listing, forecast) && forecast.problems.some(forbidsPods))
				throw new UserError(unseenWords(listing), '');
			sayNothing = async () => terminal.printError(await nothingFound(listing, scene, selected));
			if (!isRecorded) await end();
		}
		await terminal.printError(foldedText(folded));
	};

	return {
		/** @throws UserError if the first forecast lacks a named object, or is empty because pods may not be read */
		publish: async (forecast: From, now: Instant, score: Score) => {
			const {changed, added, gone} = changes.update(listing.itemsOf(forecast).filter(isSelected), now);
			if (!(isFirst && options.flags.watchOnly)) {
				format ??= await followFormat(listing, options, isRecorded, terminal);
				// As in kubectl, only the first list is sorted.
				const ordered = isFirst ? sorted(changed, listing, options) : changed;
				const text = await format({changed: ordered, added, gone}, now, score);
				if (text !== '') await printIn(terminal, options.output)(text);
			}
			await terminal.printError(warnings(fresh(forecast.problems), now, options));
			if (isFirst) await greet(forecast, now);
			else if (changed.length > 0) sayNothing = undefined;
			isFirst = false;
		},
		end,
	};
}
