import {spawn} from 'node:child_process';
import {createReadStream, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {availableParallelism, tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';

/** What a recorder is asked to do. */
export type Task = {
	readonly program: string;
	/** How often each scenario is played. */
	readonly runs: number;
	/** How many processes play at a time; as many as there are processors where it is not said. */
	readonly jobs?: number | undefined;
	/** Gives each scenario a process of its own, and tells when to wait for it no longer. */
	readonly patienceFor?: (() => AbortSignal) | undefined;
};

/**
 * Plays scenarios, some in each of a few processes: some releases leave goroutines behind, and their memory.
 *
 * @param scenarios as JSON
 * @param take is given each line that a recorder writes, in the order of the scenarios within each process
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

/** @returns false where it was given up */
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

/** Kubernetes' own logs are long: only the end of a failure's is shown. */
const shown = 4000;

/** @returns false where its end was not waited for: it is killed then */
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
