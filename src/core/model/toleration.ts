/** A core/v1 Toleration, with the API's defaults spelled out: an absent string is empty. */
export type Toleration = {
	/** Empty matches every key; only with the operator Exists. */
	readonly key: string;
	/** Empty means Equal. A cluster may send operators that are not known here; they match nothing. */
	readonly operator: string;
	readonly value: string;
	/** Empty matches every effect. */
	readonly effect: string;
	/** Absent means for ever; zero and less mean at once. In seconds, as in the API. */
	readonly tolerationSeconds?: number;
};

/** Whether two lists hold the same tolerations in the same order. */
export function isSameTolerations(a: readonly Toleration[], b: readonly Toleration[]): boolean {
	return a === b || (a.length === b.length && a.every((toleration, index) => isEqual(toleration, b[index])));
}

const isEqual = (a: Toleration, b: Toleration | undefined) =>
	a.key === b?.key &&
	a.operator === b.operator &&
	a.value === b.value &&
	a.effect === b.effect &&
	a.tolerationSeconds === b.tolerationSeconds;
