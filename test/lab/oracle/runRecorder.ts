import {spawn} from 'node:child_process';
import {createReadStream, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {availableParallelism, tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';

/** The options of a recorder. */
export type Task = {
	readonly program: string;
	/** How often each scenario is played. */
	readonly runs: number;
	/** How many processes run at the same time; by default, one per processor. */
	readonly jobs?: number | undefined;
	/** Runs each scenario in its own process, which is given up when the signal aborts. */
	readonly patienceFor?: (() => AbortSignal) | undefined;
};

/**
 * Plays scenarios in a few processes, each of which plays several: some releases leave goroutines and their memory behind.
 *
 * @param scenarios as JSON
 * @param take receives each line that a recorder prints, in the order of the scenarios within each process
 * @returns the scenarios that were given up
 */
export async function runRecorder(
	task: Task,
	scenarios: readonly string[],
	take: (line: string) => void,
): Promise<readonly string[]> {
	const {jobs = availableParallelism(), patienceFor} = task;
	const perProcess = patienceFor ? 1 : Math.max(1, Math.min(10, Math.ceil(scenarios.length / jobs)));
	const waiting = Array.from({length: Math.ceil(scenarios.length / perProcess)}, (_, i) =>
		scenarios.slice(i * perProcess, (i + 1) * perProcess),
	);
	const givenUp: string[] = [];
	const worker = async () => {
		for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
			if (!(await play(task, batch, take))) givenUp.push(...batch);
		}
	};
	await Promise.all(Array.from({length: jobs}, worker));
	return givenUp;
}

/** @returns false if it was given up */
async function play(
	{program, runs, patienceFor}: Task,
	scenarios: readonly string[],
	take: (line: string) => void,
): Promise<boolean> {
	const folder = mkdtempSync(join(tmpdir(), 'evictwatch-oracle-'));
	const [input, output] = [join(folder, 'scenarios'), join(folder, 'outcomes')];
	try {
		writeFileSync(input, scenarios.join('\n'));
		const flags = ['-test.run=^TestRecord$', '-test.timeout=2h'];
		const files = [`-scenarios=${input}`, `-outcomes=${output}`, `-runs=${runs}`];
		if (!(await end(program, [...flags, ...files], patienceFor?.()))) return false;
		for await (const line of createInterface({input: createReadStream(output)})) take(line);
		return true;
	} finally {
		rmSync(folder, {recursive: true});
	}
}

/** Only the end of a failure's log is shown, because Kubernetes' own logs are long. */
const shown = 4000;

/** @returns false if it was killed before its end */
function end(program: string, args: readonly string[], signal: AbortSignal | undefined): Promise<boolean> {
	return new Promise((resolve, reject) => {
		const child = spawn(program, args, {stdio: ['ignore', 'pipe', 'pipe'], killSignal: 'SIGKILL', signal});
		let log = '';
		for (const stream of [child.stdout, child.stderr]) {
			stream.setEncoding('utf8').on('data', (text: string) => {
				log = (log + text).slice(-shown);
			});
		}
		child.on('error', (error) => signal?.aborted || reject(error));
		child.on('close', (code) => {
			if (code === 0) resolve(true);
			else if (signal?.aborted) resolve(false);
			else reject(new Error(`the recorder failed:\n${log}`));
		});
	});
}
