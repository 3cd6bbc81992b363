import type {Divergence} from './divergence.ts';

/** A deed is something that was done to the cluster, with the divergences that a shadow must report. */
export type Deed = {
	readonly name: string;
	readonly from: number;
	/** Until when it may have effects; infinite until that is known. */
	until: number;
	/** The divergences that must be reported; empty if the controllers react as they should. */
	readonly must: readonly Wanted[];
	/** Whether another divergence may be caused by it. */
	readonly may: (told: Divergence) => boolean;
};

/** A divergence that must be reported. */
export type Wanted = {
	readonly words: string;
	readonly is: (told: Divergence) => boolean;
	/** Whether the cluster's state shows it, so that a restarted shadow detects it as well. */
	readonly lasts?: boolean;
};

/** A time in which a shadow's observations were incomplete. */
export type Gap = {readonly from: number; readonly until: number};

/** The judgement of a soak. */
export type Judgement = {
	/** Divergences that no deed explains. */
	readonly wrong: readonly string[];
	/** Deeds that were not reported. */
	readonly missed: readonly string[];
	/** Deeds that could not be observed completely; they are not judged. */
	readonly unseen: readonly string[];
	readonly found: readonly string[];
};

/** How long after a deed it may be noticed, in milliseconds. */
const noticing = 12_000;

/** Compares the reported divergences with the deeds. */
export function judge(
	deeds: readonly Deed[],
	reports: readonly {readonly at: number; readonly told: Divergence}[],
	gaps: readonly Gap[],
): Judgement {
	const wrong = reports.filter(
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
			const isFound = reports.some(({at, told}) => at >= from && at <= until + noticing && is(told));
			const end = until + noticing;
			const isHidden = gaps.some((gap) => gap.from <= end && gap.until >= (lasts ? end : from));
			(isFound ? found : isHidden ? unseen : missed).push(`${name}: ${words}`);
		}
	}
	return {wrong: wrong.map(({told}) => JSON.stringify(told)), missed, unseen, found};
}
