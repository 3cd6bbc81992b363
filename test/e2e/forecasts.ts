import {once} from 'node:events';
import {text} from 'node:stream/consumers';
import {setTimeout as sleep} from 'node:timers/promises';
import {type JsonItem, type NodeForecast, type PodForecast, readList, readNode, readPod} from './contract.ts';
import {type Plugin, startPlugin} from './plugin.ts';

const pause = 5000;
/** The allowed difference between a forecast's time and the time of the call, for clock rounding. */
const slack = 1000;

/** Runs the plugin repeatedly, with a new process each time, and keeps its forecasts. */
export class Forecasts {
	readonly pods: PodForecast[] = [];
	readonly nodes: NodeForecast[] = [];
	/** Calls that failed, and output that could not be parsed. */
	readonly failures: string[] = [];
	calls = 0;
	readonly #plugin: Plugin;

	constructor(plugin: Plugin) {
		this.#plugin = plugin;
	}

	async collect(signal: AbortSignal): Promise<void> {
		while (!signal.aborted) {
			const next = Date.now() + pause;
			await this.collectOnce();
			await sleep(Math.max(0, next - Date.now()), undefined, {signal}).catch(() => {});
		}
	}

	async collectOnce(): Promise<void> {
		await this.#ask(['pods', '-A'], 'PodForecastList', (item, at) => this.pods.push(readPod(item, at)));
		await this.#ask(['nodes'], 'NodeForecastList', (item, at) => this.nodes.push(readNode(item, at)));
	}

	async #ask(
		question: readonly string[],
		kind: string,
		onItem: (item: JsonItem, observedAt: number) => void,
	): Promise<void> {
		this.calls++;
		const asked = Date.now();
		try {
			const {observedAt, items} = readList(await this.#answer([...question, '-o', 'json']), kind);
			if (observedAt < asked - slack || observedAt > Date.now() + slack) {
				throw new Error(`observed ${observedAt - asked} ms after it was asked for`);
			}
			for (const item of items) onItem(item, observedAt);
		} catch (error) {
			this.failures.push(`${question.join(' ')}: ${error instanceof Error ? error.message : error}`);
		}
	}

	async #answer(args: readonly string[]): Promise<string> {
		const child = startPlugin(this.#plugin, args);
		const [[code], output, errors] = await Promise.all([
			once(child, 'close'),
			child.stdout ? text(child.stdout) : '',
			child.stderr ? text(child.stderr) : '',
		]);
		if (code !== 0) throw new Error(`exit code ${code}, ${errors.trim() || 'without a word'}`);
		return output;
	}
}
