import {createInterface} from 'node:readline';
import {text} from 'node:stream/consumers';
import {type JsonItem, type PodForecast, readPod} from './contract.ts';
import {type Plugin, startPlugin} from './plugin.ts';

/** Starts a watch that prints a line of JSON for each change, and passes each on. */
export function watchLines<Item>(
	plugin: Plugin,
	args: readonly string[],
	onLine: (item: Item) => void,
	onFailure: (what: string) => void,
): void {
	const child = startPlugin(plugin, [...args, '-A', '-o', 'json', '-w']);
	if (!child.stdout || !child.stderr) throw new Error('the plugin has no output');
	createInterface({input: child.stdout}).on('line', (line) => {
		try {
			onLine(JSON.parse(line) as Item);
		} catch (error) {
			onFailure(`${error} in: ${line}`);
		}
	});
	const errors = text(child.stderr);
	// A watch may end only at the end of the run.
	child.once('error', (error) => plugin.signal.aborted || onFailure(error.message));
	child.once('exit', async (code) => {
		if (!plugin.signal.aborted) onFailure(`ended with code ${code}: ${(await errors).trim()}`);
	});
}

/** The output of `pods -w`, which prints a line for each update; its time is its arrival. */
export class WatchedForecasts {
	readonly pods: PodForecast[] = [];
	readonly failures: string[] = [];

	constructor(plugin: Plugin) {
		watchLines(
			plugin,
			['pods'],
			(item: JsonItem) => this.pods.push(readPod(item, Date.now())),
			(what) => this.failures.push(what),
		);
	}
}
