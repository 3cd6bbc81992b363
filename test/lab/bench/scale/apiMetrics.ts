import type {ApiClient} from '../../../e2e/apiClient.ts';

/** The API server's list requests, their response sizes, and its CPU time on all cores. */
export type Served = {readonly requests: number; readonly megabytes: number; readonly cpuSeconds: number};

/** Reads the totals that the API server has served so far. */
export async function served(api: ApiClient): Promise<Served> {
	const metrics = await api.request<string>('GET', '/metrics');
	const sum = (name: string, isCounted: (labels: string) => boolean) => {
		let total = 0;
		for (const [, labels = '', value] of metrics.matchAll(new RegExp(`^${name}\\{(.*)\\} (\\S+)$`, 'gm'))) {
			if (isCounted(labels)) total += Number(value);
		}
		return total;
	};
	const isList = (labels: string) => labels.includes('verb="LIST"');
	// Neither the API server's own watches nor this benchmark's requests are lists.
	const isOurs = (labels: string) => isList(labels) && /resource="(pods|nodes|leases)"/.test(labels);
	return {
		requests: sum('apiserver_request_total', isOurs),
		megabytes: sum('apiserver_response_sizes_sum', isOurs) / 1e6,
		cpuSeconds: Number(/^process_cpu_seconds_total (\S+)$/m.exec(metrics)?.[1]),
	};
}
