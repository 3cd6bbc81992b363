import {untilFirstEnds} from '../../src/async/taskGroup.ts';
import {systemTiming} from '../../src/async/timing.ts';
import {systemEnvironment} from '../../src/cluster/access/environment.ts';
import {type Cluster, connect} from '../../src/cluster/cluster.ts';
import {interrupted} from '../../src/cluster/watch/gaps.ts';
import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import {isReadyNode, type Node} from '../../src/core/model/node.ts';
import type {Problem} from '../../src/core/model/problem.ts';
import {evictionMonitoringPeriod} from '../../src/core/nodepressure/thresholds/evictionSettings.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {isUnderPressure} from '../../src/forecast/pressure/observe/pressuredNodes.ts';
import type {PressureForecast} from '../../src/forecast/pressure/pressureForecast.ts';
import {systemClock} from '../../src/live/clock.ts';
import {formatPressure} from '../../src/print/pressure.ts';
import {pressureListJson} from '../../src/print/pressureJson.ts';
import {pasted} from '../../src/text/pasted.ts';
import {shellWord} from '../../src/text/shellWord.ts';
import {UserError} from '../../src/text/userError.ts';
import {connectionOf} from '../args/connection.ts';
import type {Options} from '../args/options.ts';
import {documentPrinter, isDocumentFormat} from '../output/documentPrinter.ts';
import {Interruption} from '../output/interruption.ts';
import {warnings} from '../output/show.ts';
import type {Terminal} from '../output/terminal.ts';
import {PressureLooks} from './pressureLooks.ts';

/** The command `pressure`. */
export async function pressure(options: Options, terminal: Terminal): Promise<number> {
	const timing = {...systemTiming, now: systemClock.now};
	// Before all that takes time: a server may be slow to answer.
	const interruption = options.watch ? new Interruption() : undefined;
	const cluster = await connect(options.flags, systemEnvironment(), timing);
	try {
		const report = new PressureReport(cluster, options, terminal);
		if (!interruption) return await report.print();
		await follow(report, interruption);
	} finally {
		await cluster.close();
	}
	interruption.passOn();
	return 0;
}

async function follow(report: PressureReport, interruption: Interruption): Promise<void> {
	await untilFirstEnds(
		interruption.signal,
		(signal) => report.listen(signal),
		async (signal) => {
			for (let nextAt = systemClock.now(); !signal.aborted; nextAt += evictionMonitoringPeriod) {
				await interruption.cutShort(report.printAgain());
				await systemClock.sleepUntil(nextAt + evictionMonitoringPeriod, signal);
			}
		},
	);
}

/** Looks at nodes again and again, remembers what was measured, and prints what follows. */
export class PressureReport {
	readonly #cluster: Cluster;
	readonly #options: Options;
	readonly #terminal: Terminal;
	readonly #looks: PressureLooks;
	/** What the last report warned of. */
	#warned = new Set<string>();
	/** When the last look began that saw the cluster. */
	#seenAt: Instant | undefined;

	constructor(cluster: Cluster, options: Options, terminal: Terminal) {
		this.#cluster = cluster;
		this.#options = options;
		this.#terminal = terminal;
		this.#looks = new PressureLooks(cluster);
	}

	/** Looks in a watch, and prints. Once the cluster was seen, a look that fails is told, and the next one is waited for. */
	async printAgain(): Promise<void> {
		const begun = this.#cluster.now();
		try {
			await this.print();
			this.#seenAt = begun;
		} catch (error) {
			if (!(error instanceof UserError) || this.#seenAt === undefined) throw error;
			await this.#warn([interrupted(this.#seenAt, error.message)]);
		}
	}

	/** Says it as soon as the API server says nothing any more, also between two looks, until the signal. */
	listen(signal: AbortSignal): Promise<void> {
		return this.#cluster.listen((since) => {
			// Before the first look it is said who is waited for.
			if (since === undefined || this.#seenAt === undefined) return;
			void this.#warn([interrupted(since, 'data is from then')]);
		}, signal);
	}

	/** Looks once, and prints; answers with the exit code: 1 where a node that was named does not exist. */
	async print(): Promise<number> {
		const snapshot = await this.#cluster.snapshot({pods: {type: 'nodes', nodes: []}});
		const {names} = this.#options;
		const nodes = chosen(snapshot, names);
		const seen = await this.#looks.look(nodes);
		// A name that is not read may still be a node where nodes may not be listed.
		const missing = names.filter((name) => !nodes.some((node) => node.name === name));
		const problems = [...snapshot.problems.filter(isAboutNodes), ...seen.problems];
		const calm = nodes.length === 0 && names.length === 0 ? [nonePressed(snapshot, this.#options)] : [];
		await this.#write(seen.forecasts, problems, calm, this.#cluster.now());
		const complaints = missing.map((name) => `error: nodes "${name}" not found\n`);
		await this.#terminal.printError(complaints.join(''));
		return missing.length > 0 ? 1 : 0;
	}

	async #write(
		forecasts: readonly PressureForecast[],
		problems: readonly Problem[],
		calm: readonly string[],
		now: Instant,
	): Promise<void> {
		const {output, showHeaders, timeZone} = this.#options;
		if (isDocumentFormat(output)) {
			const document = pressureListJson(forecasts, problems, now);
			const print = await documentPrinter(output, this.#options);
			return this.#terminal.printDocument(await print(document, document.items));
		}
		const texts = forecasts.map((forecast) =>
			formatPressure(forecast, {isWide: output === 'wide', showHeaders, timeZone}, now),
		);
		// In a watch each report stands apart from the one before.
		await this.#terminal.print(texts.join('\n') + (this.#options.watch ? '\n' : ''));
		const gaps = forecasts.flatMap((one) =>
			one.gaps.map((gap) => ({...gap, message: `${one.node}: ${gap.message}`})),
		);
		await this.#warn([...problems, ...gaps], calm);
	}

	/** Warns of what the last report did not warn of. @param others whole lines */
	async #warn(problems: readonly Problem[], others: readonly string[] = []): Promise<void> {
		const now = this.#cluster.now();
		const told = [...others, ...problems.map((problem) => warnings([problem], now, this.#options))];
		await this.#terminal.printError(told.filter((warning) => !this.#warned.has(warning)).join(''));
		this.#warned = new Set(told);
	}
}

/** The nodes that are named, or those that run short by their own word. */
const chosen = ({nodes}: ClusterSnapshot, names: readonly string[]): readonly Node[] =>
	nodes.filter((node) => (names.length > 0 ? names.includes(node.name) : isUnderPressure(node)));

const mostNamed = 8;

/** What is said where no node shows a pressure condition: how one is looked at anyway, and which there are. */
function nonePressed({nodes}: ClusterSnapshot, options: Options): string {
	const command = (name: string) =>
		pasted(`kubectl evictwatch pressure ${shellWord(name)}`, connectionOf(options));
	// The kubelets of others cannot answer.
	const names = nodes.filter(isReadyNode).map(({name}) => name);
	const [first] = names;
	if (first === undefined)
		return `No node shows a pressure condition; look at one anyway: ${command('NODE')}\n`;
	const more = names.length - mostNamed;
	const listed = names.slice(0, mostNamed).join(', ') + (more > 0 ? ` and ${more} more` : '');
	return `No node shows a pressure condition; look at one anyway: ${command(first)}\nReady nodes: ${listed}.\n`;
}

const isAboutNodes = ({reason}: Problem): boolean =>
	!reason.startsWith('Pods') && !reason.startsWith('Lease');
