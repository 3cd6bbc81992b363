import type {ContainerStats, PodStats, Summary} from '../../core/nodepressure/summary.ts';

/** A node's statistics in the format of the kubelet's /stats/summary. All amounts in the demo fit into a number. */
export function encodeSummary(nodeName: string, {node, pods}: Summary): object {
	const {imageFs, containerFs, podsMemory: _, ...parts} = node;
	const runtime = {imageFs, containerFs: containerFs ?? imageFs};
	return plain({node: {nodeName, ...parts, runtime}, pods: pods.map(encodePod)}) as object;
}

const encodePod = ({uid, memory, containers, processCount}: PodStats) => ({
	podRef: {uid},
	memory,
	containers: containers.map(({name, memory: own}: ContainerStats) => ({name, memory: own})),
	process_stats: {process_count: processCount},
});

/** Converts amounts to numbers and times to text. */
function plain(value: unknown, key = ''): unknown {
	if (typeof value === 'bigint') return Number(value);
	if (key === 'time' && typeof value === 'number') return new Date(value).toISOString();
	if (Array.isArray(value)) return value.map((one) => plain(one));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one, name)]));
}
