/** The quantile `part` of the values: 0.5 for the median. */
const quantile = (values: readonly number[], part: number): number =>
	values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ??
	Number.NaN;

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The median and the 99th percentile. */
export const figures = (values: readonly number[]): string =>
	`median ${median(values).toFixed(1)} ms, 99th percentile ${quantile(values, 0.99).toFixed(1)} ms`;

/** The CPU time of this process so far, including all threads, in milliseconds. */
export const cpu = (): number => {
	const {user, system} = process.cpuUsage();
	return (user + system) / 1000;
};

/** The CPU time of this thread: the time that work would take on an otherwise idle machine. */
export const threadCpu = (): number => {
	const {user, system} = process.threadCpuUsage();
	return (user + system) / 1000;
};

/** What some work costs this thread, in milliseconds of CPU time. */
export function threadCpuOf(work: () => unknown): number {
	const from = threadCpu();
	work();
	return threadCpu() - from;
}

export const sleep = (time: number) => new Promise((resolve) => setTimeout(resolve, time));
