import {readdirSync} from 'node:fs';
import {counter, type Family, gauge, single} from './family.ts';

const startedAt = performance.timeOrigin / 1000;

/**
 * Metrics of this process, with the names that Prometheus clients share. prom-client's own are not used: half of them break
 * Prometheus' naming rules (`nodejs_active_handles_total` is no counter).
 */
export const processFamilies: readonly Family<string>[] = [
	gauge(
		'evictwatch_build_info',
		'Always 1; its labels say what runs.',
		['version', 'node_version'],
		(version) => [[{version, node_version: process.version}, 1]],
	),
	counter('process_cpu_seconds_total', 'Total user and system CPU time spent in seconds.', [], () => {
		const {user, system} = process.cpuUsage();
		return single((user + system) / 1e6);
	}),
	gauge('process_resident_memory_bytes', 'Resident memory size in bytes.', [], () =>
		single(process.memoryUsage.rss()),
	),
	gauge('process_start_time_seconds', 'Start time of the process since the Unix epoch.', [], () =>
		single(Math.floor(startedAt)),
	),
	gauge('nodejs_heap_size_used_bytes', 'Memory that objects use.', [], () =>
		single(process.memoryUsage().heapUsed),
	),
	gauge('process_open_fds', 'Number of open file descriptors.', [], () => single(openFileDescriptors())),
];

/** Only available on Linux. */
function openFileDescriptors(): number | undefined {
	try {
		return readdirSync('/proc/self/fd').length;
	} catch {
		return undefined;
	}
}
