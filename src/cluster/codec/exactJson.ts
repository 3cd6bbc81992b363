/** What a reviver is told beside key and value: the text that a number was read from. */
type JsonSource = {readonly source?: string};

/**
 * Reads JSON without loss: a whole number that does not fit a double exactly becomes a bigint. A kubelet's amounts are
 * uint64, and one below zero comes as a number near 2^64.
 *
 * @throws SyntaxError where it is no JSON
 */
export function parseExactJson(text: string): unknown {
	const revive = (_key: string, value: unknown, {source}: JsonSource): unknown =>
		typeof value === 'number' &&
		!Number.isSafeInteger(value) &&
		source !== undefined &&
		/^-?\d+$/.test(source)
			? BigInt(source)
			: value;
	return JSON.parse(text, revive as (key: string, value: unknown) => unknown);
}

/** The amount, if it is one that fits a uint64. */
export function uint64Of(value: unknown): bigint | undefined {
	if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) return undefined;
	const amount = BigInt(value as bigint | number);
	return amount >= 0n && BigInt.asUintN(64, amount) === amount ? amount : undefined;
}
