import {type ChildProcess, spawn} from 'node:child_process';
import {dirname} from 'node:path';

/** The plugin under test, the cluster that it looks at, and when all of its processes end. */
export type Plugin = {readonly file: string; readonly kubeconfig: string; readonly signal: AbortSignal};

/** Starts the plugin as a user would, its output to be read. */
export function startPlugin({file, kubeconfig, signal}: Plugin, args: readonly string[]): ChildProcess {
	// The plugin's first line asks the PATH for node: it is to be the one that runs this test.
	const env = {
		...process.env,
		PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
		KUBECONFIG: kubeconfig,
	};
	// What is to be completed stands last.
	const all = args[0] === '__complete' ? args : [...args, '--kubeconfig', kubeconfig];
	return spawn(file, all, {env, signal, stdio: ['ignore', 'pipe', 'pipe']});
}
