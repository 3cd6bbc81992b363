import type {Reached} from '../../support/coverageOf.ts';

/** A drawn case that was played: the code that it ran, and its duration. */
export type Case = {
	readonly suite: string;
	readonly kind: string;
	readonly seed: number;
	readonly milliseconds: number;
	readonly reached: Reached;
};

/** The seeds to play, by suite and kind. */
type Slices = Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;

type SuiteSummary = {
	readonly suite: string;
	readonly cases: number;
	readonly all: number;
	readonly milliseconds: number;
};

/** The minimum number of cases of each kind. */
const fewestOfKind = 2;

/**
 * Chooses for each suite cases that together reach all code that its cases reach. It repeatedly takes the case that adds
 * most per unit of time, until no case adds anything.
 */
export function chooseSlices(cases: readonly Case[]): {
	readonly slices: Slices;
	readonly summary: readonly SuiteSummary[];
} {
	const suites = Map.groupBy(cases, ({suite}) => suite);
	const chosen = [...suites].map(([suite, ofSuite]) => ({suite, all: ofSuite, slice: sliceOf(ofSuite)}));
	const slices = chosen.map(({suite, all, slice}) => {
		const kinds = [...new Set(all.map(({kind}) => kind))];
		const seedsOf = (kind: string) =>
			slice.flatMap((one) => (one.kind === kind ? [one.seed] : [])).toSorted((a, b) => a - b);
		return [suite, Object.fromEntries(kinds.map((kind) => [kind, seedsOf(kind)]))];
	});
	const summary = chosen.map(({suite, all, slice}) => ({
		suite,
		cases: slice.length,
		all: all.length,
		milliseconds: slice.reduce((sum, {milliseconds}) => sum + milliseconds, 0),
	}));
	return {slices: Object.fromEntries(slices), summary};
}

function sliceOf(cases: readonly Case[]): readonly Case[] {
	const union = new Union(cases);
	const chosen: Case[] = [];
	const choose = (one: Case) => {
		chosen.push(one);
		union.add(one);
	};
	const best = (among: readonly Case[]): Case | undefined => {
		const worths = among.map((one) => ({one, worth: union.gain(one) / (one.milliseconds + 20)}));
		return worths.toSorted((a, b) => b.worth - a.worth || a.one.seed - b.one.seed)[0]?.one;
	};
	for (const ofKind of Map.groupBy(cases, ({kind}) => kind).values()) {
		for (let count = 0; count < fewestOfKind; count += 1) {
			const one = best(ofKind.filter((other) => !chosen.includes(other)));
			if (one) choose(one);
		}
	}
	for (let left = cases.filter((one) => union.gain(one) > 0); left.length > 0; ) {
		const one = best(left);
		if (one) choose(one);
		left = left.filter((other) => union.gain(other) > 0);
	}
	return chosen;
}

/** The code reached so far: by file, a byte for each offset. */
class Union {
	readonly #files = new Map<string, Uint8Array>();

	constructor(cases: readonly Case[]) {
		const lengths = new Map<string, number>();
		for (const {reached} of cases)
			for (const [file, intervals] of Object.entries(reached))
				lengths.set(file, Math.max(lengths.get(file) ?? 0, intervals.at(-1) ?? 0));
		for (const [file, length] of lengths) this.#files.set(file, new Uint8Array(length));
	}

	/** How many offsets a case reaches that were not reached before. */
	gain({reached}: Case): number {
		let gain = 0;
		for (const [bytes, from, to] of this.#spans(reached))
			for (let at = from; at < to; at += 1) if (bytes[at] === 0) gain += 1;
		return gain;
	}

	add({reached}: Case): void {
		for (const [bytes, from, to] of this.#spans(reached)) bytes.fill(1, from, to);
	}

	*#spans(reached: Reached): Generator<readonly [Uint8Array, number, number]> {
		for (const [file, intervals] of Object.entries(reached)) {
			const bytes = this.#files.get(file);
			for (let at = 0; bytes && at < intervals.length; at += 2)
				yield [bytes, intervals[at] ?? 0, intervals[at + 1] ?? bytes.length];
		}
	}
}
