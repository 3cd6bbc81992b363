const factors: Readonly<Record<string, number>> = {
	n: 1e-9,
	u: 1e-6,
	m: 1e-3,
	'': 1,
	k: 1e3,
	M: 1e6,
	G: 1e9,
	T: 1e12,
	P: 1e15,
	E: 1e18,
	Ki: 2 ** 10,
	Mi: 2 ** 20,
	Gi: 2 ** 30,
	Ti: 2 ** 40,
	Pi: 2 ** 50,
	Ei: 2 ** 60,
};

/**
 * The number of a quantity such as `250m`, `1.5Gi` or `2e3`; undefined if the text is none.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/api/resource/quantity.go ParseQuantity
 */
export function parseQuantity(text: string): number | undefined {
	const match = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:([eE][+-]?\d+)|([numkMGTPE]|[KMGTPE]i))?$/.exec(text);
	if (!match) return undefined;
	const [, digits = '', exponent = '', suffix = ''] = match;
	return Number(digits + exponent) * (factors[suffix] ?? 1);
}
