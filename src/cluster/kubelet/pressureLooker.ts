import {mapWithConcurrency} from '../../async/mapWithConcurrency.ts';
import type {Timing} from '../../async/timing.ts';
import {compareValues} from '../../core/collections/compareValues.ts';
import type {ObservationSink} from '../../core/model/observation.ts';
import type {Problem} from '../../core/model/problem.ts';
import type {KubeletReport, PressureLook, PressureNews} from '../../core/nodepressure/pressureLook.ts';
import type {EvictionConfig} from '../../core/nodepressure/thresholds/evictionSettings.ts';
import {beginningOfTime, type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import {UserError} from '../../text/userError.ts';
import {distinct} from '../transport/problem.ts';
import {hasStatus} from '../transport/requestError.ts';
import type {Transport} from '../transport/transport.ts';
import {readKubeletReports} from './kubeletReports.ts';
import {lookAtPressure} from './pressureLook.ts';

/** So many kubelets are asked at one time. */
const atOnce = 4;
/** What was refused is asked for again after this: somebody may have given the right meanwhile. */
const refusedFor: Duration = 5 * minute;

/** A configuration changes with a restart of its kubelet only, which nothing tells of but a look that fails. */
const configFor: Duration = 25 * second;

type Refusal = {readonly until: Instant; readonly why: Problem};

/**
 * Looks at the pressure of nodes, and remembers what there was to learn of that: configurations, which seldom change, and
 * refusals. What is refused for one kubelet is refused for all: it is not asked for again for a while, and told once.
 */
export class PressureLooker {
	readonly #transport: Transport;
	readonly #now: () => Instant;
	readonly #configs = new Map<string, {readonly config: EvictionConfig; readonly at: Instant}>();
	#hasAnswered = false;
	#kubelets: Refusal | undefined;
	#metrics: Refusal | undefined;
	/** What was wrong with the last look at each node. */
	readonly #troubles = new Map<string, readonly Problem[]>();
	#reportTrouble: Problem | undefined;

	constructor(transport: Transport, now: () => Instant) {
		this.#transport = transport;
		this.#now = now;
	}

	/** All that is wrong by now. */
	get problems(): readonly Problem[] {
		const ofNodes = [...this.#troubles.values()].flat();
		return distinct([this.#kubelets?.why, this.#metrics?.why, this.#reportTrouble, ...ofNodes]);
	}

	/** Forgets what was wrong with all other nodes. */
	keep(names: readonly string[]): void {
		for (const name of this.#troubles.keys()) if (!names.includes(name)) this.#troubles.delete(name);
	}

	/** Looks at nodes, a few at a time, and tells each look as it comes. Never throws for what is refused or unanswered. */
	async lookAt(
		names: readonly string[],
		onLook: (look: PressureLook) => void,
		signal?: AbortSignal,
	): Promise<void> {
		const rest = [...names];
		// The first alone where it is not known whether they may be asked: what is refused to it is not asked of the others.
		const first = this.#isKnown ? undefined : rest.shift();
		if (first !== undefined) onLook(await this.#look(first, signal));
		const look = async (name: string) => {
			if (!signal?.aborted) onLook(await this.#look(name, signal));
		};
		await mapWithConcurrency(rest, look, atOnce);
	}

	/** What kubelets reported lately; undefined where that cannot be read, which is a problem then. */
	async reports(signal?: AbortSignal): Promise<readonly KubeletReport[] | undefined> {
		try {
			const reports = await readKubeletReports(this.#transport, signal);
			this.#reportTrouble = undefined;
			return reports;
		} catch (error) {
			if (!(error instanceof UserError)) throw error;
			const kind = hasStatus(error, 403) ? 'Forbidden' : 'Unreadable';
			const message = `${error.message}: what kubelets report of evictions is not seen`;
			this.#reportTrouble = {reason: `KubeletEvents${kind}`, message};
			return undefined;
		}
	}

	/** Whether a kubelet has answered, or it was refused to ask one, not long ago. */
	get #isKnown(): boolean {
		return this.#kubelets ? this.#kubelets.until > this.#now() : this.#hasAnswered;
	}

	async #look(name: string, signal: AbortSignal | undefined): Promise<PressureLook> {
		const now = this.#now();
		const known = this.#configs.get(name);
		const isRefused = (refusal: Refusal | undefined) => refusal !== undefined && refusal.until > now;
		const look = await lookAtPressure(
			this.#transport,
			name,
			this.#now,
			{
				config: known && now - known.at < configFor ? known.config : undefined,
				isKubeletForbidden: isRefused(this.#kubelets),
				hasNoMetrics: isRefused(this.#metrics),
			},
			signal,
		);
		const {config, problems} = look;
		if (look.source !== 'kubelet') this.#configs.delete(name);
		else if (config && config !== known?.config) this.#configs.set(name, {config, at: now});
		const has = (reason: string) => problems.some((problem) => problem.reason === reason);
		if (has('SummaryForbidden')) this.#kubelets = {until: now + refusedFor, why: kubeletsForbidden};
		else if (look.source === 'kubelet') {
			this.#hasAnswered = true;
			this.#kubelets = undefined;
		}
		if (has('MetricsForbidden')) this.#metrics = {until: now + refusedFor, why: metricsForbidden};
		else if (look.source === 'metrics') this.#metrics = undefined;
		const own = problems.filter(({reason}) => !isGeneral(reason, has('SummaryForbidden')));
		this.#troubles.set(name, own);
		return {...look, problems: own};
	}
}

const isGeneral = (reason: string, isForbidden: boolean): boolean =>
	reason === 'SummaryForbidden' ||
	reason === 'MetricsForbidden' ||
	(isForbidden && reason === 'KubeletConfigForbidden');

const kubeletsForbidden: Problem = {
	reason: 'SummaryForbidden',
	message:
		'kubelets may not be queried (the right to get nodes/proxy is missing): pressure shows only in conditions, events and the memory of the metrics API',
};

const metricsForbidden: Problem = {
	reason: 'MetricsForbidden',
	message:
		'the metrics API (metrics.k8s.io) may not be queried for memory either: pressure shows only in conditions and events',
};

/** Chooses whose kubelets are asked. */
export type KubeletChooser = {
	/** The nodes that are to be looked at now, the most urgent first. */
	wanted(now: Instant): readonly string[];
};

/** The rhythm of the kubelets' own passes. */
const lookEvery: Duration = 10 * second;
const reportsEvery: Duration = 30 * second;
/** In a large outage not every node can be looked at each time: those that waited longest come first. */
const mostNodes = 40;

const nobodyChosen: PressureNews = {type: 'chosen', nodes: [], problems: []};
const nothingReported: PressureNews = {type: 'reported', reports: []};

/** Looks at the pressure of the nodes that are wanted, each ten seconds, until aborted. */
export async function watchPressure(
	looker: PressureLooker,
	chooser: KubeletChooser,
	sink: ObservationSink,
	{now, sleep}: Pick<Timing, 'now' | 'sleep'>,
	signal: AbortSignal,
): Promise<void> {
	const lookedAt = new Map<string, Instant>();
	let reportsAt = beginningOfTime;
	// What is the same again is no news.
	const told = new Map([nobodyChosen, nothingReported].map((news) => [news.type, JSON.stringify(news)]));
	const tell = (news: PressureNews) => {
		const text = news.type === 'looked' ? undefined : JSON.stringify(news);
		if (signal.aborted || (text !== undefined && text === told.get(news.type))) return;
		if (text !== undefined) told.set(news.type, text);
		sink.push({type: 'pressure', at: now(), news});
	};
	while (!signal.aborted) {
		if (now() - reportsAt >= reportsEvery) {
			reportsAt = now();
			const reports = await looker.reports(signal);
			if (reports) tell({type: 'reported', reports});
		}
		const wanted = chooser.wanted(now());
		looker.keep(wanted);
		tell({type: 'chosen', nodes: wanted, problems: looker.problems});
		const lastOf = (name: string) => lookedAt.get(name) ?? beginningOfTime;
		const due = wanted
			.filter((name) => now() - lastOf(name) >= lookEvery)
			.toSorted((a, b) => compareValues(lastOf(a), lastOf(b)))
			.slice(0, mostNodes);
		for (const name of due) lookedAt.set(name, now());
		await looker.lookAt(due, (look) => tell({type: 'looked', look}), signal);
		tell({type: 'chosen', nodes: wanted, problems: looker.problems});
		if (!signal.aborted) await sleep(second, signal);
	}
}
