import {createInterface} from 'node:readline';
import {text} from 'node:stream/consumers';
import {type JsonItem, type PodForecast, readPod} from './contract.ts';
import {type Plugin, startPlugin} from './plugin.ts';

/** The output of `pods -w`, which prints a line for each update; its time is its arrival. */
export class WatchedForecasts {
	readonly pods: PodForecast[] = [];
	readonly failures: string[] = [];

	constructor(plugin: Plugin) {
		const child = startPlugin(plugin, ['pods', '-A', '-o', 'json', '-w']);
		if (!child.stdout || !child.stderr) throw new Error('the plugin has no output');
		createInterface({input: child.stdout}).on('line', (line) => this.#read(line));
		const errors = text(child.stderr);
		// A watch may end only at the end of the run.
		child.once('error', (error) => plugin.signal.aborted || this.failures.push(error.message));
		child.once('exit', async (code) => {
			if (!plugin.signal.aborted) this.failures.push(`ended with code ${code}: ${(await errors).trim()}`);
		});
	}

	#read(line: string): void {
		try {
			this.pods.push(readPod(JSON.parse(line) as JsonItem, Date.now()));
		} catch (error) {
			this.failures.push(`${error} in: ${line}`);
		}
	}
}
