import {type Cluster, connect} from '../src/cluster/cluster.ts';
import type {PressureLook} from '../src/cluster/pressureLook.ts';
import {systemSurroundings} from '../src/cluster/surroundings.ts';
import {systemTiming} from '../src/cluster/timing.ts';
import type {ClusterSnapshot, Problem} from '../src/core/model/clusterSnapshot.ts';
import type {Node} from '../src/core/model/node.ts';
import {evictionMonitoringPeriod} from '../src/core/nodepressure/evictionSettings.ts';
import type {Instant} from '../src/core/time/instant.ts';
import {forecastPressure} from '../src/forecast/pressure/forecastPressure.ts';
import type {SummarySample} from '../src/forecast/pressure/pressureEvidence.ts';
import type {PressureForecast} from '../src/forecast/pressure/pressureForecast.ts';
import {remember} from '../src/forecast/pressure/summaryHistory.ts';
import {systemClock} from '../src/live/clock.ts';
import {escapeForTerminal} from '../src/print/escape.ts';
import {formatPressure} from '../src/print/pressure.ts';
import {pressureListJson} from '../src/print/pressureJson.ts';
import {documentPrinter, isDocumentFormat} from './documentPrinter.ts';
import {Interruption} from './interruption.ts';
import type {Options} from './options.ts';
import {warnings} from './show.ts';
import type {Terminal} from './terminal.ts';

const pressureConditions = ['MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** The command `pressure`. */
export async function pressure(options: Options, terminal: Terminal): Promise<number> {
	const timing = {...systemTiming, now: systemClock.now};
	const cluster = await connect(options.flags, systemSurroundings(), timing);
	try {
		if (!options.watch) return await new PressureReport(cluster, options, terminal).print();
		const interruption = new Interruption();
		await follow(new PressureReport(cluster, options, terminal), interruption.signal);
		interruption.passOn();
		return 0;
	} finally {
		await cluster.close();
	}
}

async function follow(report: PressureReport, signal: AbortSignal): Promise<void> {
	for (let nextAt = systemClock.now(); !signal.aborted; nextAt += evictionMonitoringPeriod) {
		await report.print();
		await systemClock.sleepUntil(nextAt + evictionMonitoringPeriod, signal);
	}
}

/** Looks at nodes again and again, remembers what was measured, and prints what follows. */
export class PressureReport {
	readonly #cluster: Cluster;
	readonly #options: Options;
	readonly #terminal: Terminal;
	readonly #looks = new Map<string, PressureLook>();
	/** What the last report warned of. */
	#warned = new Set<string>();
	readonly #histories = new Map<string, readonly SummarySample[]>();

	constructor(cluster: Cluster, options: Options, terminal: Terminal) {
		this.#cluster = cluster;
		this.#options = options;
		this.#terminal = terminal;
	}

	/** Looks once, and prints; answers with the exit code: 1 where a node that was named does not exist. */
	async print(): Promise<number> {
		const snapshot = await this.#cluster.snapshot({pods: {type: 'nodes', nodes: []}});
		const {names} = this.#options;
		const nodes = chosen(snapshot, names);
		const looks = await Promise.all(nodes.map(({name}) => this.#look(name)));
		const now = this.#cluster.now();
		const forecasts = nodes.map((node, index) => this.#forecast(node, looks[index], now));
		// A name that is not read may still be a node where nodes may not be listed.
		const missing = names.filter((name) => !nodes.some((node) => node.name === name));
		const problems = [...snapshot.problems.filter(isAboutNodes), ...looks.flatMap((look) => look.problems)];
		await this.#write(forecasts, problems, now);
		const complaints = missing.map((name) => `error: nodes "${escapeForTerminal(name)}" not found\n`);
		await this.#terminal.printError(complaints.join(''));
		return missing.length > 0 ? 1 : 0;
	}

	async #look(node: string): Promise<PressureLook> {
		const look = await this.#cluster.pressure(node, this.#looks.get(node)?.config);
		this.#looks.set(node, look);
		const history = this.#histories.get(node) ?? [];
		if (look.summary) this.#histories.set(node, remember(history, look.summary, look.seenAt));
		return look;
	}

	#forecast(node: Node, look: PressureLook | undefined, now: Instant): PressureForecast {
		return forecastPressure(
			{
				node: node.name,
				samples: this.#histories.get(node.name) ?? [],
				...(look?.config && {config: look.config}),
				pods: look?.pods ?? [],
				conditions: node.conditions,
			},
			now,
		);
	}

	async #write(
		forecasts: readonly PressureForecast[],
		problems: readonly Problem[],
		now: Instant,
	): Promise<void> {
		const {output, showHeaders} = this.#options;
		if (isDocumentFormat(output)) {
			const document = pressureListJson(forecasts, problems, now);
			const print = await documentPrinter(output, this.#options);
			return this.#terminal.print(await print(document, document.items));
		}
		const texts = forecasts.map((forecast) =>
			formatPressure(forecast, {isWide: output === 'wide', showHeaders}, now),
		);
		// In a watch each report stands apart from the one before.
		await this.#terminal.print(texts.join('\n') + (this.#options.watch ? '\n' : ''));
		if (forecasts.length === 0 && this.#options.names.length === 0) {
			await this.#terminal.printError('No node shows a pressure condition; name one to look at it anyway.\n');
		}
		const gaps = forecasts.flatMap((one) =>
			one.gaps.map((gap) => ({...gap, message: `${one.node}: ${gap.message}`})),
		);
		const told = [...problems, ...gaps].map((problem) => warnings([problem]));
		await this.#terminal.printError(told.filter((warning) => !this.#warned.has(warning)).join(''));
		this.#warned = new Set(told);
	}
}

/** The nodes that are named, or those that show a pressure condition. */
const chosen = ({nodes}: ClusterSnapshot, names: readonly string[]): readonly Node[] =>
	nodes.filter(({name, conditions}) =>
		names.length > 0
			? names.includes(name)
			: conditions.some(({type, status}) => status === 'True' && pressureConditions.includes(type)),
	);

const isAboutNodes = ({reason}: Problem): boolean =>
	!reason.startsWith('Pods') && !reason.startsWith('Lease');
