import {type ChildProcess, spawn} from 'node:child_process';
import {dirname} from 'node:path';

/** The plugin under test, its cluster, and the signal that ends all its processes. */
export type Plugin = {readonly file: string; readonly kubeconfig: string; readonly signal: AbortSignal};

/** Starts the plugin as a user would, with piped output. */
export function startPlugin({file, kubeconfig, signal}: Plugin, args: readonly string[]): ChildProcess {
	// The plugin's first line looks for node on PATH: it must find the one that runs this test.
	const env = {
		...process.env,
		PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
		KUBECONFIG: kubeconfig,
	};
	// The word to complete must come last.
	const all = args[0] === '__complete' ? args : [...args, '--kubeconfig', kubeconfig];
	return spawn(file, all, {env, signal, stdio: ['ignore', 'pipe', 'pipe']});
}
