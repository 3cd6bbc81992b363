import type {Node} from '../../core/model/node.ts';
import {profileFor} from '../../core/model/versionProfile.ts';
import type {NodePod} from '../../core/nodepressure/nodePod.ts';
import type {KubeletReport, PressureLook, PressureNews} from '../../core/nodepressure/pressureLook.ts';
import {beginningOfTime, type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import {forecastPressure} from './forecastPressure.ts';
import type {PressureEvidence} from './observe/pressureEvidence.ts';
import type {PressureForecast} from './pressureForecast.ts';

type NodePage = {
	readonly evidence: Omit<PressureEvidence, 'node' | 'conditions' | 'reports'>;
	/** When the look arrived. */
	readonly lookedAt: Instant;
	/** The last forecast, and what else it was made of. */
	made?: Pick<PressureEvidence, 'conditions' | 'reports'> & {
		readonly at: Instant;
		readonly forecast: PressureForecast;
	};
};

const nothingSeen: NodePage['evidence'] = {samples: [], pods: [], evicted: []};

type MeasuredNode = Pick<Node, 'name' | 'conditions' | 'kubeletVersion'>;

/** A forecast is made again after a new measurement, or after this time. */
const goodFor: Duration = 15 * second;

/** Keeps the statistics of nodes, and makes pressure forecasts of them. */
export class PressureStore {
	readonly #pages = new Map<string, NodePage>();
	#reports: ReadonlyMap<string, readonly KubeletReport[]> = new Map();
	#reportedAt: Instant = beginningOfTime;

	get nodes(): readonly string[] {
		return [...this.#pages.keys()];
	}

	takePressure(news: PressureNews, at: Instant) {
		if (news.type === 'chosen') this.keep(new Set(news.nodes));
		else if (news.type === 'looked') this.take(news.look, at);
		else {
			this.takeReports(news.reports);
			this.#reportedAt = at;
		}
	}

	take(look: PressureLook, lookedAt = beginningOfTime) {
		const {node, summary, seenAt, evicted, problems} = look;
		const {evidence: before = nothingSeen} = this.#pages.get(node) ?? {};
		// A failed query keeps what was known; its age is reported.
		const {source = before.source, config = before.config} = look;
		// The metrics API and a kubelet measure differently.
		const history = source === before.source ? before.samples : [];
		const recent = history.filter((sample) => seenAt - sample.seenAt <= historySpan);
		const samples = summary ? [...recent, {seenAt, summary}] : history;
		const arePodsUnread = problems.some(({reason}) => podsUnread.has(reason));
		const pods = arePodsUnread ? before.pods : look.pods;
		this.#pages.set(node, {
			evidence: {samples, pods, evicted, ...(source && {source}), ...(config && {config})},
			lookedAt,
		});
	}

	/** Takes in all recent reports of kubelets. */
	takeReports(reports: readonly KubeletReport[]) {
		this.#reports = Map.groupBy(reports, ({node}) => node);
	}

	keep(nodes: ReadonlySet<string>) {
		for (const name of this.#pages.keys()) if (!nodes.has(name)) this.#pages.delete(name);
	}

	evidenceOf({name, conditions, kubeletVersion}: MeasuredNode): PressureEvidence {
		const {evidence = nothingSeen} = this.#pages.get(name) ?? {};
		const pods = ofKubelet(kubeletVersion, evidence.pods);
		return {...evidence, node: name, conditions, reports: this.#reportsOf(name), pods};
	}

	/**
	 * The effects of pressure on a node; the same object as before if nothing new was seen. The forecast is for the arrival of
	 * the newest data, whenever it is asked for, so that a replay gives the same.
	 */
	forecast(node: MeasuredNode, now: Instant): PressureForecast {
		const page = this.#pages.get(node.name);
		const reports = this.#reportsOf(node.name);
		const made = page?.made;
		const hasNews = made?.reports !== reports;
		if (made && !hasNews && made.conditions === node.conditions && now - made.at < goodFor)
			return made.forecast;
		const newsAt = hasNews ? Math.max(page?.lookedAt ?? beginningOfTime, this.#reportedAt) : now;
		const at = now - newsAt < goodFor ? newsAt : now;
		const forecast = forecastPressure(this.evidenceOf(node), at);
		if (page) page.made = {conditions: node.conditions, reports, at, forecast};
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
