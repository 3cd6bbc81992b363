/** How many lists are asked for at a time, where there are many. */
const listsAtOnce = 8;

/** Does a few at a time, and keeps their order. The first that fails is the failure of all. */
export async function inTurns<T, R>(
	values: readonly T[],
	work: (value: T) => Promise<R>,
): Promise<readonly R[]> {
	const results: R[] = [];
	let next = 0;
	const takeTurns = async () => {
		for (let index = next++; index < values.length; index = next++) {
			const value = values[index];
			if (value !== undefined) results[index] = await work(value);
		}
	};
	await Promise.all(Array.from({length: Math.min(listsAtOnce, values.length)}, takeTurns));
	return results;
}
