import type {MemoryStats, PodStats, Summary} from '../../src/core/nodepressure/summary.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {answerJson, answerStatus, type FakeApiServer} from './fakeApiServer.ts';

/** The kubelet behind a node's proxy: its current statistics and its configuration. An HTTP status refuses. */
type FakeKubelet = {
	readonly summary: (now: Instant) => Summary | number;
	readonly kubeletconfig: object | number;
};

/** Serves a kubelet through an API server's node proxy. */
export function serveKubelet(
	server: FakeApiServer,
	node: string,
	kubelet: FakeKubelet,
	now: () => Instant,
): void {
	server.intercept(({url}, response) => {
		const [, what] = url.pathname.split(`/api/v1/nodes/${node}/proxy/`);
		if (what !== 'stats/summary' && what !== 'configz') return false;
		const answer = what === 'configz' ? kubelet.kubeletconfig : kubelet.summary(now());
		if (typeof answer === 'number') answerStatus(response, answer, `nodes "${node}" is forbidden`);
		else if (what === 'configz') answerJson(response, {kubeletconfig: answer});
		else response.setHeader('content-type', 'application/json').end(encodeSummary(answer as Summary));
		return true;
	});
}

/** A summary in a kubelet's JSON; amounts beyond 2^53 are written as exact numbers. */
export function encodeSummary({node, pods}: Summary, nodeName = 'node'): string {
	const {podsMemory, imageFs, containerFs, ...rest} = node;
	const wire = {
		node: {
			nodeName,
			...rest,
			runtime: {imageFs, containerFs},
			systemContainers: podsMemory ? [{name: 'pods', memory: podsMemory}] : [],
		},
		pods: pods.map(encodePod),
	};
	const text = JSON.stringify(wire, (key, value: unknown) => {
		if (typeof value === 'bigint') return `uint64:${value}`;
		return key === 'time' && typeof value === 'number' ? new Date(value).toISOString() : value;
	});
	return text.replaceAll(/"uint64:(\d+)"/g, '$1');
}

const encodePod = ({uid, memory, containers, volumes, ephemeralStorage, processCount}: PodStats) => ({
	podRef: {name: uid, namespace: 'any', uid},
	memory: memory satisfies MemoryStats | undefined,
	containers,
	volume: volumes,
	'ephemeral-storage': ephemeralStorage,
	...(processCount !== undefined && {process_stats: {process_count: processCount}}),
});
