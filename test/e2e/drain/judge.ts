import type {Check} from '../judge.ts';

/** What the program says of a node, as its users read it. */
export type JsonDrainedNode = {
	readonly node: string;
	readonly refusedWithout: readonly string[];
	readonly verdict: string;
	readonly takesSeconds: number;
	readonly pods: readonly {
		readonly metadata: {readonly namespace: string; readonly name: string};
		readonly eviction: string;
		readonly needs: readonly string[];
		readonly budgets: readonly string[];
	}[];
	readonly blocks: readonly {
		readonly name: string;
		readonly atOnce: number;
		readonly desiredHealthy: number;
		readonly hasUnready: boolean;
	}[];
};

/**
 * What kubectl did: what it said without flags and with them, the names of the pods that were deleted after each, and how long it
 * took with them; undefined if it did not succeed.
 */
export type DrainTruth = {
	readonly refusal: string;
	readonly errors: string;
	readonly deletedAtFirst: readonly string[];
	readonly deleted: readonly string[];
	readonly tookSeconds: number | undefined;
};

const refusalWords: Readonly<Record<string, string>> = {
	'--delete-emptydir-data': 'Pods with local storage (use --delete-emptydir-data to override)',
	'--force': 'cannot delete Pods that declare no controller (use --force to override)',
};

/** How long kubectl takes by itself: to start, to cordon, and to look whether pods are gone, in seconds. */
const ownTime = 5;

/** Compares what was said of a drain with what kubectl did. */
export function judgeDrain(told: JsonDrainedNode, truth: DrainTruth): Check {
	const failures: string[] = [];
	const {pods, blocks} = told;
	const expect = (what: string, want: readonly string[], got: readonly string[]) => {
		const [wanted, found] = [want.toSorted().join(' '), got.toSorted().join(' ')];
		if (wanted !== found) failures.push(`${what}: told ${wanted || 'none'}, but was ${found || 'none'}`);
	};
	const named = (some: typeof pods) => some.map(({metadata}) => metadata.name);
	const of = (eviction: string) => named(pods.filter((pod) => pod.eviction === eviction));
	// kubectl names a pod by the first flag that it lacks.
	for (const [flag, words] of Object.entries(refusalWords))
		expect(
			`refused without ${flag}`,
			named(pods.filter(({needs}) => needs[0] === flag)),
			podsAfter(words, truth.refusal),
		);
	if (told.refusedWithout.length > 0) expect('evicted though refused', [], truth.deletedAtFirst);
	const isDeleted = new Set(truth.deleted);
	const chance = pods.filter(({eviction}) => eviction === 'SomeAtOnce');
	const byChance = new Set(named(chance));
	expect(
		'evicted at once',
		of('AtOnce'),
		truth.deleted.filter((name) => !byChance.has(name)),
	);
	for (const {name, atOnce, desiredHealthy, hasUnready} of blocks) {
		const ofBudget = chance.filter(({budgets}) => budgets.includes(name));
		const gone = named(ofBudget).filter((pod) => isDeleted.has(pod));
		// The evictions of pods that are not ready count only until the controller has counted again.
		if (desiredHealthy === 0 && hasUnready && gone.length >= atOnce) continue;
		expect(`evicted at once of ${name}`, [String(atOnce)], [String(gone.length)]);
	}
	expect(
		'refused for two budgets',
		of('Error'),
		podsIn(/error when evicting pods\/"([^"]+)"[^\n]*more than one PodDisruptionBudget/g, truth.errors),
	);
	const waiting = podsIn(/error when evicting pods\/"([^"]+)" -n "[^"]+" \(will retry/g, truth.errors);
	const left = named(chance).filter((name) => !isDeleted.has(name));
	expect('waits', [...of('Waits'), ...left], waiting);
	const {tookSeconds} = truth;
	const isOpen = blocks.some(({desiredHealthy, hasUnready}) => desiredHealthy === 0 && hasUnready);
	if (!isOpen) expect('ends', [String(told.verdict === 'Ends')], [String(tookSeconds !== undefined)]);
	if (tookSeconds !== undefined && tookSeconds > told.takesSeconds + ownTime)
		failures.push(`took ${tookSeconds} s, told ${told.takesSeconds} s at most`);
	return {name: `${told.node}: ${pods.map(({eviction}) => eviction).join(' ') || 'no pods'}`, failures};
}

/** The pods that kubectl lists after some words: `...: ns/a, ns/b`, to the next message. */
function podsAfter(words: string, text: string): readonly string[] {
	const [, rest = ''] = text.split(`${words}: `);
	const [list = ''] = rest.split(/, cannot|\]|, continuing|\n/);
	return list.split(', ').flatMap((pod) => pod.trim().split('/')[1] ?? []);
}

const podsIn = (pattern: RegExp, text: string) => [
	...new Set([...text.matchAll(pattern)].map(([, name = '']) => name)),
];
