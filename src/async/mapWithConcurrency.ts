/** How many lists are asked for at a time, where there are many. */
const listsAtOnce = 8;

/** Does `atOnce` at a time, and keeps their order. The first that fails is the failure of all. */
export async function mapWithConcurrency<T, R>(
	values: readonly T[],
	work: (value: T) => Promise<R>,
	atOnce: number = listsAtOnce,
): Promise<readonly R[]> {
	const results: R[] = [];
	let next = 0;
	const workNext = async () => {
		for (let index = next++; index < values.length; index = next++) {
			const value = values[index];
			if (value !== undefined) results[index] = await work(value);
		}
	};
	await Promise.all(Array.from({length: Math.min(atOnce, values.length)}, workNext));
	return results;
}
