import type {JsonPod} from '../aftermath/prediction.ts';
import type {SeenPod} from '../aftermath/truth.ts';

/** What was said at one time of all pods that are lost. */
export type Said = {readonly name: string; readonly askedAt: number; readonly pods: readonly JsonPod[]};

/** What became of one forecast of when the pod that replaces another is ready. */
export type Finding = {
	readonly pod: string;
	readonly app: string;
	readonly question: string;
	/**
	 * Inside its range, bounded or not; before it; after it; ready though it was said to need somebody; rightly said to need somebody;
	 * open where nothing can be told of it.
	 */
	readonly result: 'inside' | 'insideOpen' | 'before' | 'after' | 'notNever' | 'never' | 'open';
	readonly text: string;
};

/** Rounding, and how long a watch delivers. */
const tolerance = 1000;

export type Played = {
	readonly diedAt: number;
	readonly endedAt: number;
	readonly dead: readonly string[];
	/** When something was done to a node. */
	readonly deedAt: ReadonlyMap<string, number>;
	readonly pods: readonly SeenPod[];
};

/** Compares what was said of each lost pod with when its successor was ready. */
export function judgeAgain({name: question, askedAt, pods: said}: Said, played: Played): readonly Finding[] {
	const {diedAt, endedAt, dead, deedAt, pods} = played;
	const lost = pods.filter(
		({createdAt, node, terminatingAt}) =>
			createdAt < diedAt && dead.includes(node) && terminatingAt !== undefined,
	);
	const successors = successorsOf(lost, pods, diedAt);
	return lost.flatMap((pod): readonly Finding[] => {
		const told = said.find(({metadata}) => metadata.uid === pod.uid);
		if (!told) return [];
		const {after, verdict, eviction} = told;
		const {readyAt} = successors.get(pod) ?? {};
		const at = (time: number | null | undefined) =>
			time == null ? '?' : `+${((time - diedAt) / 1000).toFixed(1)}`;
		const deed = deedAt.get(pod.node);
		const isDisturbed = deed !== undefined && deed > askedAt && (readyAt === undefined || readyAt > deed);
		const of = (result: Finding['result'], text: string) => [
			{
				pod: pod.name,
				app: pod.app,
				question,
				result,
				text: `${text}, ready ${at(readyAt)}; deleted ${at(pod.terminatingAt)}, gone ${at(pod.goneAt)}; ${verdict} ${after?.outcome} ${after?.detail}`,
			},
		];
		if (!after || after.outcome === 'NotNeeded' || after.outcome === 'Lost') return [];
		if (!after.readyAfter) {
			if (readyAt === undefined) return of('never', 'needs somebody');
			return isDisturbed ? of('open', 'needs somebody') : of('notNever', 'needs somebody');
		}
		const {least, most} = after.readyAfter;
		const requested =
			verdict === 'Terminating'
				? [pod.terminatingAt, pod.terminatingAt]
				: [eviction?.earliest, eviction?.latest];
		const [first, last] = requested.map((time) => (typeof time === 'string' ? Date.parse(time) : time));
		if (first == null) return of('open', 'no time is said');
		const from = Math.max(askedAt, first + least * 1000);
		const end = last == null || most === null ? Number.POSITIVE_INFINITY : last + most * 1000;
		// What is over is no end any more.
		const to = end < askedAt ? Number.POSITIVE_INFINITY : end;
		const text = `${at(from)}..${at(Number.isFinite(to) ? to : null)}`;
		// One that was ready before the question tells nothing.
		if (readyAt !== undefined && readyAt < askedAt) return of('open', text);
		if (readyAt === undefined) return to + tolerance < endedAt ? of('after', text) : of('open', text);
		if (readyAt < from - tolerance) return of('before', text);
		if (readyAt > to + tolerance) return of('after', text);
		return of(Number.isFinite(to) ? 'inside' : 'insideOpen', text);
	});
}

/** The pods that replace lost ones: of a StatefulSet and an indexed Job by name, of others in the order in which they were made. */
function successorsOf(lost: readonly SeenPod[], pods: readonly SeenPod[], diedAt: number) {
	const placeOf = ({name, app}: SeenPod) => {
		const [, own = ''] = name.split('/');
		const [ordinal = ''] = own.slice(app.length + 1).split('-');
		return app.startsWith('db') || (app.startsWith('batch') && /^\d$/.test(ordinal))
			? `${app} ${ordinal}`
			: app;
	};
	const made = Map.groupBy(
		pods.filter(({createdAt}) => createdAt >= diedAt).toSorted((a, b) => a.createdAt - b.createdAt),
		placeOf,
	);
	const found = new Map<SeenPod, SeenPod>();
	for (const [place, ones] of Map.groupBy(lost, placeOf)) {
		const sorted = ones.toSorted((a, b) => (a.terminatingAt ?? 0) - (b.terminatingAt ?? 0));
		for (const [index, one] of sorted.entries()) {
			const successor = made.get(place)?.[index];
			if (successor) found.set(one, successor);
		}
	}
	return found;
}
