const defaultConcurrency = 8;

/** Maps values with `atOnce` calls at a time; results keep the order of the values. @throws the first failure */
export async function mapWithConcurrency<T, R>(
	values: readonly T[],
	work: (value: T) => Promise<R>,
	atOnce: number = defaultConcurrency,
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
