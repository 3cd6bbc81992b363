/**
 * Does several things at a time, until the signal. One that ends or fails ends the others, and only then does the failure
 * come out: nothing runs on behind it.
 *
 * @throws what the first of them failed with
 */
export async function together(
	signal: AbortSignal,
	...works: readonly ((signal: AbortSignal) => Promise<unknown>)[]
): Promise<void> {
	const end = new AbortController();
	const untilEnd = AbortSignal.any([signal, end.signal]);
	const results = await Promise.allSettled(works.map((work) => work(untilEnd).finally(() => end.abort())));
	for (const result of results) if (result.status === 'rejected') throw result.reason;
}
