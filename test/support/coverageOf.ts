import {type Profiler, Session} from 'node:inspector';

/** The code that was run: by source file, pairs of offsets `[from, to, from, to, ...]`. */
export type Reached = Readonly<Record<string, readonly number[]>>;

let session: Session | undefined;

/** Runs a piece of work; returns its result, its duration, and the parts of `src` that it ran. */
export function coverageOf<Result>(work: () => Result): {
	readonly result: Result;
	readonly milliseconds: number;
	readonly reached: Reached;
} {
	session ??= startedSession();
	take(session);
	const begun = performance.now();
	const result = work();
	const milliseconds = Math.round(performance.now() - begun);
	const scripts = take(session).filter(({url}) => /\/src\/[^?]*\.tsx?/.test(url));
	const reached = scripts.map(({url, functions}) => [
		url.replace(/^.*\/src\//, 'src/'),
		intervalsOf(functions),
	]);
	return {result, milliseconds, reached: Object.fromEntries(reached)};
}

function startedSession(): Session {
	const started = new Session();
	started.connect();
	started.post('Profiler.enable');
	started.post('Profiler.startPreciseCoverage', {callCount: true, detailed: true});
	return started;
}

/** The coverage since the last call. In the same thread, the inspector calls back before `post` returns. */
function take(from: Session): readonly Profiler.ScriptCoverage[] {
	let taken: readonly Profiler.ScriptCoverage[] = [];
	from.post('Profiler.takePreciseCoverage', (error, answer) => {
		if (error) throw error;
		taken = answer.result;
	});
	return taken;
}

/** Outer ranges come first, and inner ranges override them. */
function intervalsOf(functions: readonly Profiler.FunctionCoverage[]): readonly number[] {
	const ranges = functions.flatMap((one) => one.ranges);
	const length = Math.max(0, ...ranges.map(({endOffset}) => endOffset));
	const ran = new Uint8Array(length + 1);
	for (const {startOffset, endOffset, count} of ranges.toSorted(outerFirst))
		ran.fill(count > 0 ? 1 : 0, startOffset, endOffset);
	const intervals: number[] = [];
	for (let at = 0; at <= length; at += 1) if (ran[at] !== (ran[at - 1] ?? 0)) intervals.push(at);
	return intervals;
}

const outerFirst = (a: Profiler.CoverageRange, b: Profiler.CoverageRange): number =>
	a.startOffset - b.startOffset || b.endOffset - a.endOffset;
