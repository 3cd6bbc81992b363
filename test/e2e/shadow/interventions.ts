import type {Divergence} from './divergence.ts';

/** An intervention is something that was done to the cluster, with the divergences that a shadow must report. */
export type Intervention = {
	readonly name: string;
	readonly from: number;
	/** Until when it may have effects; infinite until that is known. */
	until: number;
	/** The divergences that must be reported; empty if the controllers react as they should. */
	readonly must: readonly Wanted[];
	/** Whether another divergence may be caused by it. */
	readonly may: (divergence: Divergence) => boolean;
};

/** A divergence that must be reported. */
export type Wanted = {
	readonly words: string;
	readonly is: (divergence: Divergence) => boolean;
	/** Whether the cluster's state shows it, so that a restarted shadow detects it as well. */
	readonly lasts?: boolean;
};

/** A time in which a shadow's observations were incomplete. */
export type Gap = {readonly from: number; readonly until: number};

/** The judgement of a soak. */
type Judgement = {
	/** Divergences that no intervention explains. */
	readonly wrong: readonly string[];
	/** Interventions that were not reported. */
	readonly missed: readonly string[];
	/** Interventions that could not be observed completely; they are not judged. */
	readonly unseen: readonly string[];
	readonly found: readonly string[];
};

/** How long after an intervention it may be noticed, in milliseconds. */
const noticing = 12_000;

/** Compares the reported divergences with the interventions. */
export function judge(
	interventions: readonly Intervention[],
	reports: readonly {readonly at: number; readonly divergence: Divergence}[],
	gaps: readonly Gap[],
): Judgement {
	const wrong = reports.filter(
		({at, divergence}) =>
			divergence.reason !== 'ObservationGap' &&
			!interventions.some(
				(intervention) =>
					at >= intervention.from &&
					at <= intervention.until + noticing &&
					(intervention.may(divergence) || intervention.must.some(({is}) => is(divergence))),
			),
	);
	const [missed, unseen, found]: [string[], string[], string[]] = [[], [], []];
	for (const {name, from, until, must} of interventions) {
		for (const {words, is, lasts} of must) {
			const isFound = reports.some(
				({at, divergence}) => at >= from && at <= until + noticing && is(divergence),
			);
			const end = until + noticing;
			const isHidden = gaps.some((gap) => gap.from <= end && gap.until >= (lasts ? end : from));
			(isFound ? found : isHidden ? unseen : missed).push(`${name}: ${words}`);
		}
	}
	return {wrong: wrong.map(({divergence}) => JSON.stringify(divergence)), missed, unseen, found};
}
