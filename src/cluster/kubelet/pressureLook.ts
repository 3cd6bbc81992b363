import {anySignal} from '../../async/orAborted.ts';
import type {Problem} from '../../core/model/problem.ts';
import type {PressureLook} from '../../core/nodepressure/pressureLook.ts';
import type {EvictionConfig} from '../../core/nodepressure/thresholds/evictionSettings.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {UserError} from '../../text/userError.ts';
import {distinct} from '../transport/problem.ts';
import {RequestError} from '../transport/requestError.ts';
import type {Transport} from '../transport/transport.ts';
import {readMetrics} from './nodeMetrics.ts';
import {readEvictionConfig, readNodePods, readNodeSummary} from './nodePressure.ts';

/** Timeout of a look: the period of a kubelet's eviction passes. */
const lookTimeout: Duration = 10 * second;

/** Results of earlier looks, which are not requested again. */
type KnownBefore = {
	readonly config?: EvictionConfig | undefined;
	readonly isKubeletForbidden?: boolean;
	readonly hasNoMetrics?: boolean;
};

/**
 * Looks at a node's pressure: reads its kubelet's statistics and configuration, and its pods from the API server. If the
 * kubelet is forbidden or does not answer, memory is read from the metrics API. Refusals and timeouts are problems, not
 * errors.
 */
export async function lookAtPressure(
	transport: Transport,
	node: string,
	now: () => Instant,
	{config: known, isKubeletForbidden = false, hasNoMetrics = false}: KnownBefore = {},
	untilEnd?: AbortSignal,
): Promise<PressureLook> {
	const problems: Problem[] = [];
	const report = (message: string) => problems.push({reason: 'PodUnreadable', message});
	const or = <T>(wanted: Promise<T>, reason: string, lost: string): Promise<T | undefined> =>
		wanted.catch((error: unknown) => {
			problems.push(lookProblem(error, reason, lost));
			return undefined;
		});
	const signal = anySignal(untilEnd, AbortSignal.timeout(lookTimeout));
	// The API server is only a proxy to the kubelet: if it answers other requests, a timeout is the kubelet's.
	const ofKubelet = async <T>(asked: Promise<T>, reason: string, lost: string) =>
		or(
			asked.catch((error: unknown) => {
				throw error instanceof RequestError && error.isTimeout ? silent(node) : error;
			}),
			reason,
			lost,
		);
	const askForSummary = () =>
		ofKubelet(readNodeSummary(transport, node, signal), 'Summary', 'what the node has left is not seen');
	const askForConfig = () =>
		ofKubelet(
			readEvictionConfig(transport, node, signal),
			'KubeletConfig',
			"a kubelet's defaults are assumed",
		);
	const [own, config, found] = await Promise.all([
		isKubeletForbidden ? undefined : askForSummary(),
		known ?? (isKubeletForbidden ? undefined : askForConfig()),
		or(readNodePods(transport, node, report, signal), 'Pods', 'its pods are not seen'),
	]);
	const {pods = [], evicted = []} = found ?? {};
	const metrics =
		own || hasNoMetrics
			? undefined
			: await or(
					readMetrics(transport, node, pods, signal),
					'Metrics',
					'of memory nothing is seen but conditions',
				);
	const summary = own ?? metrics;
	return {
		node,
		seenAt: now(),
		...(summary && {summary, source: own ? 'kubelet' : 'metrics'}),
		...(config && {config}),
		...{pods, evicted},
		problems: distinct(problems),
	};
}

const silent = (node: string): RequestError =>
	new RequestError(`the kubelet of node ${node} did not answer in time`, 'check whether its node is up');

function lookProblem(error: unknown, what: string, lost: string): Problem {
	if (!(error instanceof UserError)) throw error;
	const status = error instanceof RequestError ? error.status : undefined;
	const kind = kinds[status ?? 0] ?? 'Unreadable';
	return {reason: `${what}${kind}`, message: `${error.message}: ${lost}`};
}

const kinds: Readonly<Record<number, string>> = {403: 'Forbidden', 404: 'Missing'};
