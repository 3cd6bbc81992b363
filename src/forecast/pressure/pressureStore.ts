import type {Node} from '../../core/model/node.ts';
import {profileFor} from '../../core/model/versionProfile.ts';
import type {NodePod} from '../../core/nodepressure/nodePod.ts';
import type {KubeletReport, PressureLook, PressureNews} from '../../core/nodepressure/pressureLook.ts';
import {beginningOfTime, type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import {forecastPressure} from './forecastPressure.ts';
import type {PressureEvidence, SummarySample} from './observe/pressureEvidence.ts';
import type {PressureForecast} from './pressureForecast.ts';

type NodePage = {
	readonly look: PressureLook;
	/** All from one source: the metrics API and a kubelet measure differently. */
	readonly samples: readonly SummarySample[];
	/** The UIDs of all listed pods that a sample still contains. */
	readonly listed: ReadonlySet<string>;
};

type MadePressure = {
	readonly page: NodePage;
	readonly conditions: Node['conditions'];
	readonly reports: readonly KubeletReport[];
	readonly at: Instant;
	readonly forecast: PressureForecast;
};

type MeasuredNode = Pick<Node, 'name' | 'conditions' | 'kubeletVersion'>;

/** A forecast is made again after a new measurement, or after this time. */
const goodFor: Duration = 15 * second;

/** Keeps the statistics of nodes, and makes pressure forecasts of them. */
export class PressureStore {
	readonly #pages = new Map<string, NodePage>();
	readonly #made = new Map<string, MadePressure>();
	#reports: ReadonlyMap<string, readonly KubeletReport[]> = new Map();
	/** When the newest look at each node arrived, and the newest reports. */
	readonly #lookedAt = new Map<string, Instant>();
	#reportedAt: Instant = beginningOfTime;

	get nodes(): readonly string[] {
		return [...this.#pages.keys()];
	}

	takePressure(news: PressureNews, at: Instant): void {
		if (news.type === 'chosen') this.keep(new Set(news.nodes));
		else if (news.type === 'looked') {
			this.take(news.look);
			this.#lookedAt.set(news.look.node, at);
		} else {
			this.takeReports(news.reports);
			this.#reportedAt = at;
		}
	}

	take(look: PressureLook): void {
		const before = this.#pages.get(look.node);
		const isOtherSource = look.source !== undefined && look.source !== before?.look.source;
		const history = isOtherSource ? [] : (before?.samples ?? []);
		const {summary, seenAt} = look;
		const recent = history.filter((sample) => seenAt - sample.seenAt <= historySpan);
		const samples = summary ? [...recent, {seenAt, summary}] : history;
		// A failed query keeps what was known; its age is reported.
		const source = look.source ?? before?.look.source;
		const config = look.config ?? before?.look.config;
		const arePodsUnread = look.problems.some(({reason}) => podsUnread.has(reason));
		const pods = arePodsUnread ? (before?.look.pods ?? look.pods) : look.pods;
		const measured = new Set(samples.flatMap(({summary}) => summary.pods.map(({uid}) => uid)));
		const listed = [...(before?.listed ?? []), ...pods.map(({uid}) => uid)];
		this.#pages.set(look.node, {
			listed: new Set(listed.filter((uid) => measured.has(uid))),
			look: {...look, pods, ...(source && {source}), ...(config && {config})},
			samples,
		});
	}

	/** Takes in all recent reports of kubelets. */
	takeReports(reports: readonly KubeletReport[]): void {
		this.#reports = Map.groupBy(reports, ({node}) => node);
	}

	keep(nodes: ReadonlySet<string>): void {
		for (const name of this.#pages.keys()) {
			if (nodes.has(name)) continue;
			this.#pages.delete(name);
			this.#made.delete(name);
			this.#lookedAt.delete(name);
		}
	}

	evidenceOf({name, conditions, kubeletVersion}: MeasuredNode): PressureEvidence {
		const {look, samples = [], listed} = this.#pages.get(name) ?? {};
		const reports = this.#reportsOf(name);
		const evicted = look?.evicted ?? [];
		return {
			...{node: name, samples, conditions, evicted, reports},
			pods: ofKubelet(kubeletVersion, look?.pods ?? []),
			...(listed && {listedBefore: listed}),
			...(look?.source && {source: look.source}),
			...(look?.config && {config: look.config}),
		};
	}

	/**
	 * The effects of pressure on a node; the same object as before if nothing new was seen. The forecast is for the arrival of
	 * the newest data, whenever it is asked for, so that a replay gives the same.
	 */
	forecast(node: MeasuredNode, now: Instant): PressureForecast {
		const page = this.#pages.get(node.name);
		const reports = this.#reportsOf(node.name);
		const made = this.#made.get(node.name);
		const hasNews = made?.page !== page || made?.reports !== reports;
		if (made && !hasNews && made.conditions === node.conditions && now - made.at < goodFor)
			return made.forecast;
		const lookedAt = this.#lookedAt.get(node.name) ?? beginningOfTime;
		const newsAt = hasNews ? Math.max(lookedAt, this.#reportedAt) : now;
		const at = now - newsAt < goodFor ? newsAt : now;
		const forecast = forecastPressure(this.evidenceOf(node), at);
		if (page) this.#made.set(node.name, {page, conditions: node.conditions, reports, at, forecast});
		return forecast;
	}

	#reportsOf(node: string): readonly KubeletReport[] {
		return this.#reports.get(node) ?? none;
	}
}

const none: readonly KubeletReport[] = [];
/** Problems of queries that show nothing of a node's pods. */
const podsUnread: ReadonlySet<string> = new Set(['PodsForbidden', 'PodsMissing', 'PodsUnreadable']);

/** Samples count this long for a trend: an older past shows less of the next minutes. */
const historySpan: Duration = 5 * minute;

/** The first release whose kubelet enforces limits of sidecars. */
const firstWithSidecarLimits = 37;

/** The pods as the kubelet of a release treats them; an unknown release counts as the newest recorded. */
function ofKubelet(version: string | undefined, pods: readonly NodePod[]): readonly NodePod[] {
	if (profileFor(version).minorVersion < firstWithSidecarLimits) return pods;
	return pods.map((pod) => (pod.initContainers.length > 0 ? {...pod, hasSidecarLimits: true} : pod));
}
