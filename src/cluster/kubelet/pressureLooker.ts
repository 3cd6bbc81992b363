import {mapWithConcurrency} from '../../async/mapWithConcurrency.ts';
import {anySignal} from '../../async/orAborted.ts';
import type {Timing} from '../../async/timing.ts';
import {compareValues} from '../../core/collections/compareValues.ts';
import type {ObservationSink} from '../../core/model/observation.ts';
import type {Problem} from '../../core/model/problem.ts';
import type {KubeletReport, PressureLook, PressureNews} from '../../core/nodepressure/pressureLook.ts';
import type {EvictionConfig} from '../../core/nodepressure/thresholds/evictionSettings.ts';
import {beginningOfTime, type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import {UserError} from '../../text/userError.ts';
import {distinct} from '../transport/problem.ts';
import {RequestError} from '../transport/requestError.ts';
import type {Transport} from '../transport/transport.ts';
import {readKubeletReports} from './kubeletReports.ts';
import type {KubeletClient} from './kubelets.ts';
import {readMetrics} from './nodeMetrics.ts';
import {readEvictionConfig, readNodePods, readNodeSummary} from './nodePressure.ts';

/** Timeout of a look: the period of a kubelet's eviction passes. */
const lookTimeout: Duration = 10 * second;
/** Maximum number of kubelets that are queried at the same time. */
const maxConcurrency = 4;
/** Refused requests are retried after this: the permission may have been granted meanwhile. */
const refusalLifetime: Duration = 5 * minute;

/** Lifetime of a cached configuration. It changes only with a restart of its kubelet, which only a failed look reveals. */
const configLifetime: Duration = 25 * second;

type Refusal = {readonly until: Instant; readonly why: Problem};

/** Looks at the pressure of nodes, and caches configurations and refusals: a refusal by one kubelet applies to all for a while. */
export class PressureLooker {
	readonly #transport: Transport;
	readonly #kubelets: KubeletClient;
	readonly #now: () => Instant;
	readonly #configs = new Map<string, {readonly config: EvictionConfig; readonly at: Instant}>();
	#hasAnswered = false;
	#refusal: Refusal | undefined;
	#metrics: Refusal | undefined;
	/** The problems of the last look at each node. */
	readonly #nodeProblems = new Map<string, readonly Problem[]>();
	#reportProblem: Problem | undefined;

	constructor(transport: Transport, kubelets: KubeletClient, now: () => Instant) {
		this.#transport = transport;
		this.#kubelets = kubelets;
		this.#now = now;
	}

	get problems(): readonly Problem[] {
		const ofNodes = [...this.#nodeProblems.values()].flat();
		return distinct([this.#refusal?.why, this.#metrics?.why, this.#reportProblem, ...ofNodes]);
	}

	/** Drops the problems of all other nodes. */
	keep(names: readonly string[]) {
		for (const name of this.#nodeProblems.keys()) if (!names.includes(name)) this.#nodeProblems.delete(name);
	}

	/** Looks at nodes, a few at a time, and passes each result on as it comes. Refusals and timeouts are problems, not errors. */
	async lookAt(
		names: readonly string[],
		onLook: (look: PressureLook) => void,
		signal?: AbortSignal,
	): Promise<void> {
		const rest = [...names];
		// The first node alone, if permission is unknown: a refusal then saves the other requests.
		const first = this.#isKnown ? undefined : rest.shift();
		if (first !== undefined) onLook(await this.#look(first, signal));
		const look = async (name: string) => {
			if (!signal?.aborted) onLook(await this.#look(name, signal));
		};
		await mapWithConcurrency(rest, look, maxConcurrency);
	}

	/** Recent reports of kubelets; undefined if they cannot be read, which is then a problem. */
	async reports(signal?: AbortSignal): Promise<readonly KubeletReport[] | undefined> {
		try {
			const reports = await readKubeletReports(this.#transport, signal);
			this.#reportProblem = undefined;
			return reports;
		} catch (error) {
			this.#reportProblem = lookProblem(error, 'KubeletEvents');
			return undefined;
		}
	}

	/** Whether permission to query kubelets is known: one has answered, or was refused recently. */
	get #isKnown() {
		return this.#refusal ? this.#refusal.until > this.#now() : this.#hasAnswered;
	}

	/**
	 * Reads a node's statistics and configuration from its kubelet, and its pods from the API server. If the kubelet is forbidden or
	 * does not answer, memory is read from the metrics API.
	 */
	async #look(node: string, signal: AbortSignal | undefined): Promise<PressureLook> {
		const [now, transport, kubelets] = [this.#now(), this.#transport, this.#kubelets];
		const until = anySignal(signal, AbortSignal.timeout(lookTimeout));
		const problems: Problem[] = [];
		const attempt = <T>(what: keyof typeof lost, asked: Promise<T>): Promise<T | undefined> =>
			asked.catch((error: unknown) => {
				problems.push(lookProblem(error, what, node));
				return undefined;
			});
		const report = (flaw: string) => problems.push({reason: 'PodUnreadable', message: flaw});
		const isRefused = (refusal: Refusal | undefined) => refusal !== undefined && refusal.until > now;
		const ofKubelet = <T>(what: 'Summary' | 'KubeletConfig', ask: () => Promise<T>) =>
			isRefused(this.#refusal) ? undefined : attempt(what, ask());
		const known = this.#configs.get(node);
		const [own, config, found] = await Promise.all([
			ofKubelet('Summary', () => readNodeSummary(kubelets, node, until)),
			known && now - known.at < configLifetime
				? known.config
				: ofKubelet('KubeletConfig', () => readEvictionConfig(kubelets, node, until)),
			attempt('Pods', readNodePods(transport, node, report, until)),
		]);
		const {pods = [], evicted = []} = found ?? {};
		const mayAsk = !own && !isRefused(this.#metrics);
		const metrics = mayAsk ? await attempt('Metrics', readMetrics(transport, node, pods, until)) : undefined;
		if (!own) this.#configs.delete(node);
		else if (config && config !== known?.config) this.#configs.set(node, {config, at: now});
		const has = (reason: string) => problems.some((problem) => problem.reason === reason);
		if (has('SummaryForbidden'))
			this.#refusal = {until: now + refusalLifetime, why: kubeletsForbidden(kubelets.right)};
		else if (own) {
			this.#hasAnswered = true;
			this.#refusal = undefined;
		}
		if (has('MetricsForbidden')) this.#metrics = {until: now + refusalLifetime, why: metricsForbidden};
		else if (metrics) this.#metrics = undefined;
		const ofNode = distinct(problems).filter(({reason}) => !isGeneral(reason, has('SummaryForbidden')));
		this.#nodeProblems.set(node, ofNode);
		const summary = own ?? metrics;
		return {
			node,
			seenAt: this.#now(),
			pods,
			evicted,
			problems: ofNode,
			summary,
			source: own ? 'kubelet' : metrics && 'metrics',
			config,
		};
	}
}

/** What is not known if a part of a look fails. */
const lost = {
	Summary: 'what the node has left is not seen',
	KubeletConfig: "a kubelet's defaults are assumed",
	Pods: 'its pods are not seen',
	Metrics: 'of memory nothing is seen but conditions',
	KubeletEvents: 'what kubelets report of evictions is not seen',
};

function lookProblem(error: unknown, what: keyof typeof lost, node = ''): Problem {
	if (!(error instanceof UserError)) throw error;
	const {status = 0, isTimeout = false} = error instanceof RequestError ? error : {};
	// At its own port or through the API server: if that answers other requests, a timeout is the kubelet's.
	const isOfKubelet = isTimeout && (what === 'Summary' || what === 'KubeletConfig');
	const message = isOfKubelet ? `the kubelet of node ${node} did not answer in time` : error.message;
	return {reason: `${what}${kinds[status] ?? 'Unreadable'}`, message: `${message}: ${lost[what]}`};
}

const kinds: Readonly<Record<number, string>> = {403: 'Forbidden', 404: 'Missing'};

const isGeneral = (reason: string, isForbidden: boolean) =>
	reason === 'SummaryForbidden' ||
	reason === 'MetricsForbidden' ||
	(isForbidden && reason === 'KubeletConfigForbidden');

const kubeletsForbidden = (right: string): Problem => ({
	reason: 'SummaryForbidden',
	message: `the right to get ${right} is missing: pressure shows only in conditions, events and the metrics API's memory`,
});

const metricsForbidden: Problem = {
	reason: 'MetricsForbidden',
	message:
		'the metrics API (metrics.k8s.io) may not be queried for memory either: pressure shows only in conditions and events',
};

export type KubeletChooser = {
	/** The nodes to look at now, the most urgent first. */
	wanted(now: Instant): readonly string[];
};

/** The period of the kubelets' eviction passes. */
const lookEvery: Duration = 10 * second;
const reportsEvery: Duration = 30 * second;
/** The same after a refusal: nothing that is forbidden is asked for more often. */
const reportsAgainAfter: Duration = minute;
/** Maximum number of nodes per round, for large outages; those that waited longest come first. */
const maxNodes = 40;

const noneChosen: PressureNews = {type: 'chosen', nodes: [], problems: []};
const nothingReported: PressureNews = {type: 'reported', reports: []};

/** Looks at the pressure of the wanted nodes every ten seconds, until aborted. */
export async function watchPressure(
	looker: PressureLooker,
	chooser: KubeletChooser,
	sink: ObservationSink,
	{now, sleep}: Timing,
	signal: AbortSignal,
): Promise<void> {
	const lookedAt = new Map<string, Instant>();
	let reportsDue = beginningOfTime;
	// Unchanged news is not sent again.
	const lastSent = new Map([noneChosen, nothingReported].map((news) => [news.type, JSON.stringify(news)]));
	const send = (news: PressureNews) => {
		const text = news.type === 'looked' ? undefined : JSON.stringify(news);
		if (signal.aborted || (text !== undefined && text === lastSent.get(news.type))) return;
		if (text !== undefined) lastSent.set(news.type, text);
		sink.push({type: 'pressure', at: now(), news});
	};
	while (!signal.aborted) {
		if (now() >= reportsDue) {
			const askedAt = now();
			const reports = await looker.reports(signal);
			reportsDue = askedAt + (reports ? reportsEvery : reportsAgainAfter);
			if (reports) send({type: 'reported', reports});
		}
		const wanted = chooser.wanted(now());
		looker.keep(wanted);
		send({type: 'chosen', nodes: wanted, problems: looker.problems});
		const lastOf = (name: string) => lookedAt.get(name) ?? beginningOfTime;
		const due = wanted
			.filter((name) => now() - lastOf(name) >= lookEvery)
			.toSorted((a, b) => compareValues(lastOf(a), lastOf(b)))
			.slice(0, maxNodes);
		for (const name of due) lookedAt.set(name, now());
		await looker.lookAt(due, (look) => send({type: 'looked', look}), signal);
		send({type: 'chosen', nodes: wanted, problems: looker.problems});
		if (!signal.aborted) await sleep(second, signal);
	}
}
