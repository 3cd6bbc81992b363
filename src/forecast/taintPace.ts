/** How fast nodes get their taints, `rate` each second: `one node tainted every 10s`, or `5 nodes tainted per second`. */
export const taintPace = (rate: number): string =>
	rate > 1
		? `${Number(rate.toFixed(1))} nodes tainted per second`
		: `one node tainted every ${Math.round(1 / rate)}s`;
