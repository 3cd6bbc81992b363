import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import {isReadyNode, type Node} from '../../src/core/model/node.ts';
import type {Problem} from '../../src/core/model/problem.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {timeAlone} from '../../src/dates/format.ts';
import {isUnderPressure} from '../../src/forecast/pressure/observe/pressuredNodes.ts';
import type {PressureForecast} from '../../src/forecast/pressure/pressureForecast.ts';
import {nearestOf, shareAbove} from '../../src/forecast/pressure/pressureWords.ts';
import {someOf} from '../../src/forecast/words.ts';
import {formatPressure} from '../../src/print/pressure/pressure.ts';
import {pressureListJson} from '../../src/print/pressure/pressureJson.ts';
import {pasted, shellWord} from '../../src/text/pasted.ts';
import {connectionOf} from '../args/connection.ts';
import type {Options} from '../args/options.ts';
import {documentPrinter, isDocumentFormat} from '../output/documentPrinter.ts';
import {tableOptions} from '../output/tableOptions.ts';
import type {Terminal} from '../output/terminal.ts';
import {FreshWarnings, warnings} from '../output/warnings.ts';
import type {PressureSeen} from '../sources/pressureLooks.ts';

/** The nodes, and a function that queries some of them. */
type PressureScene = Pick<ClusterSnapshot, 'nodes' | 'problems'> & {
	readonly look: (nodes: readonly Node[]) => Promise<PressureSeen>;
	readonly now: () => Instant;
};

export class PressureReport {
	readonly #options: Options;
	readonly #terminal: Terminal;
	readonly #asksAllKubelets: boolean;
	readonly #warnings = new FreshWarnings();

	/** @param asksAllKubelets whether the kubelets of all ready nodes are asked where none is named */
	constructor(options: Options, terminal: Terminal, asksAllKubelets = false) {
		this.#options = options;
		this.#terminal = terminal;
		this.#asksAllKubelets = asksAllKubelets;
	}

	/** Prints one report. Returns the exit code: 1 if a named node does not exist. */
	async print({nodes: all, problems: ofNodes, look, now}: PressureScene): Promise<number> {
		const {names} = this.#options;
		const nodes = this.#chosen(all);
		const looked = await look(nodes);
		const seen = this.#asksAllKubelets ? {...looked, forecasts: nearestFirst(looked.forecasts)} : looked;
		// If nodes may not be listed, an unknown name may still be a node.
		const missing = names.filter((name) => !nodes.some((node) => node.name === name));
		const problems = [...ofNodes.filter(isAboutNodes), ...seen.problems];
		const calm = nodes.length === 0 && names.length === 0 ? [nonePressed(all, this.#options)] : [];
		await this.#write({...seen, problems}, calm, now());
		const complaints = missing.map((name) => `error: nodes "${name}" not found\n`);
		await this.#terminal.printError(complaints.join(''));
		return missing.length > 0 ? 1 : 0;
	}

	/** The named nodes; else those with a pressure condition, or all ready ones if all are meant. */
	#chosen(nodes: readonly Node[]): readonly Node[] {
		const {names} = this.#options;
		return nodes.filter((node) =>
			names.length > 0
				? names.includes(node.name)
				: isUnderPressure(node) || (this.#asksAllKubelets && isReadyNode(node)),
		);
	}

	async #write({forecasts, problems}: PressureSeen, calm: readonly string[], now: Instant): Promise<void> {
		const {output, timeZone} = this.#options;
		if (isDocumentFormat(output)) {
			const document = pressureListJson(forecasts, problems, now);
			const print = await documentPrinter(output, this.#options);
			return this.#terminal.printDocument(await print(document, document.items));
		}
		const texts = forecasts.map((forecast) =>
			formatPressure(
				forecast,
				{...tableOptions(this.#options, this.#terminal), command: this.#watchOf(forecast.node)},
				now,
			),
		);
		// In a watch an empty line separates reports; a recording adds the time.
		const isWatch = this.#options.watch && texts.length > 0;
		const head =
			isWatch && this.#options.filenames.length > 0 ? `At ${timeAlone(now, now, timeZone)}:\n` : '';
		await this.#terminal.print(head + texts.join('\n') + (isWatch ? '\n' : ''));
		const ofNodes = forecasts.flatMap((one) =>
			one.problems.filter(isUncovered(one.node, problems)).map(({reason, message}) => ({
				reason,
				message: `${one.node}: ${message}`,
			})),
		);
		await this.warn([...problems, ...ofNodes], now, calm);
	}

	/** What to type for a trend, as one query measures only once. */
	#watchOf(node: string): string {
		const command = `kubectl evictwatch pressure ${shellWord(node)} -w`;
		return this.#options.watch ? '' : pasted(command, connectionOf(this.#options));
	}

	/** Warns of what the last report did not warn of. @param others whole lines */
	async warn(problems: readonly Problem[], now: Instant, others: readonly string[] = []): Promise<void> {
		const lines = [...others, ...problems.map((problem) => warnings([problem], now, this.#options))];
		await this.#terminal.printError(this.#warnings.among(lines).join(''));
	}
}

/** Nodes nearest to a threshold come first. */
const nearestFirst = (forecasts: readonly PressureForecast[]): readonly PressureForecast[] => {
	const shareOf = ({signals}: PressureForecast) => {
		const nearest = nearestOf(signals);
		return nearest ? shareAbove(nearest) : Number.POSITIVE_INFINITY;
	};
	return forecasts.toSorted((a, b) => (shareOf(a) === shareOf(b) ? 0 : shareOf(a) - shareOf(b)));
};

const mostNamed = 8;

/** The text if no node shows a pressure condition: how to query one anyway, and which are ready. */
function nonePressed(nodes: readonly Node[], options: Options): string {
	const command = (what: string) => pasted(`kubectl evictwatch pressure ${what}`, connectionOf(options));
	// Kubelets of nodes that are not ready do not answer.
	const names = nodes.filter(isReadyNode).map(({name}) => name);
	const [first] = names;
	if (first === undefined)
		return `No node shows a pressure condition; look at one anyway: ${command('NODE')}\n`;
	return `No node shows a pressure condition; look at one anyway: ${command(shellWord(first))}\nReady nodes: ${someOf(names, mostNamed)}. At all of them: ${command('--all-kubelets')}\n`;
}

/** By a node's problem, the problem of the failed request whose message covers it. */
const coveredBy: Readonly<Record<string, string>> = {
	NoStatistics: 'SummaryUnreadable',
	NoConfiguration: 'KubeletConfigUnreadable',
};

/** The table itself says what to type for a trend. */
const coveredByTable = 'FewStatistics';

const isUncovered =
	(node: string, problems: readonly Problem[]) =>
	({reason}: Problem): boolean =>
		reason !== coveredByTable &&
		!problems.some(
			(problem) => problem.reason === coveredBy[reason] && problem.message.includes(`/nodes/${node}/`),
		);

const isAboutNodes = ({reason}: Problem): boolean =>
	!reason.startsWith('Pods') && !reason.startsWith('Lease');
