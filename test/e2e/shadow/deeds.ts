import type {Told} from './told.ts';

/** Something that was done to the cluster, and what a shadow has to say of it. */
export type Deed = {
	readonly name: string;
	readonly from: number;
	/** Up to when it may show; infinite until it is known. */
	until: number;
	/** What has to be told; nothing for what the controllers answer as they should. */
	readonly must: readonly Wanted[];
	/** What else may be told of it, truly. */
	readonly may: (told: Told) => boolean;
};

/** What has to be told. */
export type Wanted = {
	readonly words: string;
	readonly is: (told: Told) => boolean;
	/** Whether it shows in what stands in the cluster, so that one that was started anew sees it as well. */
	readonly lasts?: boolean;
};

/** A time in which a shadow did not see all. */
export type Blind = {readonly from: number; readonly until: number};

/** The judgement of a soak. */
export type Judgement = {
	/** Divergences that nothing that was done explains. */
	readonly wrong: readonly string[];
	/** What was done, and was not told. */
	readonly missed: readonly string[];
	/** What was done, and could not be seen as a whole: it is not judged. */
	readonly unseen: readonly string[];
	readonly found: readonly string[];
};

/** How long after a deed it may be noticed. */
const noticing = 12_000;

/** Holds what was told against what was done. */
export function judge(
	deeds: readonly Deed[],
	heard: readonly {readonly at: number; readonly told: Told}[],
	blind: readonly Blind[],
): Judgement {
	const wrong = heard.filter(
		({at, told}) =>
			told.reason !== 'ObservationGap' &&
			!deeds.some(
				(deed) =>
					at >= deed.from &&
					at <= deed.until + noticing &&
					(deed.may(told) || deed.must.some(({is}) => is(told))),
			),
	);
	const [missed, unseen, found]: [string[], string[], string[]] = [[], [], []];
	for (const {name, from, until, must} of deeds) {
		for (const {words, is, lasts} of must) {
			const isFound = heard.some(({at, told}) => at >= from && at <= until + noticing && is(told));
			const end = until + noticing;
			const isHidden = blind.some((gap) => gap.from <= end && gap.until >= (lasts ? end : from));
			(isFound ? found : isHidden ? unseen : missed).push(`${name}: ${words}`);
		}
	}
	return {wrong: wrong.map(({told}) => JSON.stringify(told)), missed, unseen, found};
}
