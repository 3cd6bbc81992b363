import {execFile} from 'node:child_process';
import {dirname} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {promisify} from 'node:util';

// The plugin's JSON as its users read it: written down here once more and not imported, because it is a contract.

/** A range in milliseconds since the epoch; `latest` is null where nothing bounds it. */
export type Range = {readonly earliest: number; readonly expected: number; readonly latest: number | null};

export type PodForecast = {
	readonly observedAt: number;
	/** `namespace/name`. */
	readonly pod: string;
	readonly verdict: string;
	readonly eviction: Range | null;
};

export type NodeForecast = {
	readonly observedAt: number;
	readonly node: string;
	readonly verdict: string;
	readonly unknown: Range | null;
	readonly noExecute: Range | null;
};

type JsonRange = {
	readonly earliest: string;
	readonly expected: string;
	readonly latest: string | null;
} | null;
type JsonItem = {
	readonly kind: string;
	readonly metadata: {readonly namespace?: string; readonly name: string};
	readonly verdict: string;
	readonly eviction?: JsonRange;
	readonly unknown?: JsonRange;
	readonly noExecute?: JsonRange;
};
type JsonList = {
	readonly apiVersion: string;
	readonly kind: string;
	readonly metadata: {readonly observedAt: string};
	readonly items: readonly JsonItem[];
};

const pause = 5000;
const run = promisify(execFile);

/** Asks the plugin again and again, a process for each question, and keeps what it says. */
export class Forecasts {
	readonly pods: PodForecast[] = [];
	readonly nodes: NodeForecast[] = [];
	/** Calls that failed, and answers that could not be read. */
	readonly failures: string[] = [];
	calls = 0;
	readonly #plugin: string;
	readonly #kubeconfig: string;

	constructor(plugin: string, kubeconfig: string) {
		this.#plugin = plugin;
		this.#kubeconfig = kubeconfig;
	}

	async collect(signal: AbortSignal): Promise<void> {
		while (!signal.aborted) {
			const next = Date.now() + pause;
			await this.collectOnce();
			await sleep(Math.max(0, next - Date.now()), undefined, {signal}).catch(() => {});
		}
	}

	async collectOnce(): Promise<void> {
		await this.#ask(['pods', '-A'], 'PodForecastList', (item, observedAt) => {
			const {metadata, verdict, eviction} = item;
			const pod = `${metadata.namespace}/${metadata.name}`;
			this.pods.push({observedAt, pod, verdict, eviction: readRange(eviction)});
		});
		await this.#ask(['nodes'], 'NodeForecastList', ({metadata, verdict, unknown, noExecute}, observedAt) => {
			const ranges = {unknown: readRange(unknown), noExecute: readRange(noExecute)};
			this.nodes.push({observedAt, node: metadata.name, verdict, ...ranges});
		});
	}

	async #ask(
		question: readonly string[],
		kind: string,
		onItem: (item: JsonItem, observedAt: number) => void,
	): Promise<void> {
		this.calls++;
		const asked = Date.now();
		try {
			const list = await this.#call([...question, '-o', 'json', '--kubeconfig', this.#kubeconfig]);
			if (list.apiVersion !== 'evictwatch.dev/v1' || list.kind !== kind) {
				throw new Error(`answered ${list.apiVersion} ${list.kind}`);
			}
			const observedAt = readInstant(list.metadata.observedAt);
			if (observedAt < asked - 1000 || observedAt > Date.now() + 1000) {
				throw new Error(
					`was asked at ${new Date(asked).toISOString()}, observed at ${list.metadata.observedAt}`,
				);
			}
			for (const item of list.items) onItem(item, observedAt);
		} catch (error) {
			this.failures.push(`${question.join(' ')}: ${error instanceof Error ? error.message.trim() : error}`);
		}
	}

	async #call(args: readonly string[]): Promise<JsonList> {
		// The plugin's first line asks the PATH for node: it is to be the one that runs this test.
		const env = {...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}`};
		const {stdout} = await run(this.#plugin, args, {env, timeout: 30_000, maxBuffer: 1 << 26});
		return JSON.parse(stdout) as JsonList;
	}
}

/** Reads a range; throws where it is none, or is out of order. */
function readRange(range: JsonRange | undefined): Range | null {
	if (range === null) return null;
	if (range === undefined) throw new Error('a range is missing; null would be none');
	const read = {
		earliest: readInstant(range.earliest),
		expected: readInstant(range.expected),
		latest: range.latest === null ? null : readInstant(range.latest),
	};
	if (read.earliest > read.expected || read.expected > (read.latest ?? Number.POSITIVE_INFINITY)) {
		throw new Error(`a range out of order: ${JSON.stringify(range)}`);
	}
	return read;
}

function readInstant(text: string): number {
	if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) throw new Error(`not an instant: ${text}`);
	return Date.parse(text);
}
