import {readdirSync} from 'node:fs';
import type {Family, Sample} from './family.ts';

const startedAt = performance.timeOrigin / 1000;

/**
 * Metrics of this process, with the names that Prometheus clients share. prom-client's own are not used: half of them break
 * Prometheus' naming rules (`nodejs_active_handles_total` is no counter).
 */
export const processFamilies: readonly Family<string>[] = [
	{
		name: 'evictwatch_build_info',
		help: 'Always 1; its labels say what runs.',
		type: 'gauge',
		labels: ['version', 'node_version'],
		samples: (version) => [[{version, node_version: process.version}, 1]],
	},
	unlabelled(
		'process_cpu_seconds_total',
		'Total user and system CPU time spent in seconds.',
		'counter',
		() => {
			const {user, system} = process.cpuUsage();
			return (user + system) / 1e6;
		},
	),
	unlabelled('process_resident_memory_bytes', 'Resident memory size in bytes.', 'gauge', () =>
		process.memoryUsage.rss(),
	),
	unlabelled('process_start_time_seconds', 'Start time of the process since the Unix epoch.', 'gauge', () =>
		Math.floor(startedAt),
	),
	unlabelled(
		'nodejs_heap_size_used_bytes',
		'Memory that objects use.',
		'gauge',
		() => process.memoryUsage().heapUsed,
	),
	{
		name: 'process_open_fds',
		help: 'Number of open file descriptors.',
		type: 'gauge',
		samples: openFileDescriptors,
	},
];

function unlabelled(
	name: string,
	help: string,
	type: 'gauge' | 'counter',
	value: () => number,
): Family<string> {
	return {name, help, type, samples: () => [[{}, value()]]};
}

/** Only available on Linux. */
function openFileDescriptors(): readonly Sample[] {
	try {
		return [[{}, readdirSync('/proc/self/fd').length]];
	} catch {
		return [];
	}
}
