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
};

/**
 * Plays scenarios, some in each of a few processes: some releases leave goroutines behind, and their memory.
 *
 * @param scenarios as JSON
 * @param take is given each line that a recorder writes, in the order of the scenarios within each process
 */
export async function runRecorder(
	{program, runs, jobs = availableParallelism()}: Task,
	scenarios: readonly string[],
	take: (line: string) => void,
): Promise<void> {
	const perProcess = Math.max(1, Math.min(10, Math.ceil(scenarios.length / jobs)));
	const waiting = Array.from({length: Math.ceil(scenarios.length / perProcess)}, (_, i) =>
		scenarios.slice(i * perProcess, (i + 1) * perProcess),
	);
	const worker = async () => {
		for (let batch = waiting.shift(); batch; batch = waiting.shift()) await play(program, runs, batch, take);
	};
	await Promise.all(Array.from({length: jobs}, worker));
}

async function play(
	program: string,
	runs: number,
	scenarios: readonly string[],
	take: (line: string) => void,
): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'evictwatch-oracle-'));
	const [input, output] = [join(folder, 'scenarios'), join(folder, 'outcomes')];
	try {
		writeFileSync(input, scenarios.join('\n'));
		const flags = ['-test.run=^TestRecord$', '-test.timeout=2h'];
		await end(program, [...flags, `-scenarios=${input}`, `-outcomes=${output}`, `-runs=${runs}`]);
		for await (const line of createInterface({input: createReadStream(output)})) take(line);
	} finally {
		rmSync(folder, {recursive: true});
	}
}

/** Kubernetes' own logs are long: only the end of a failure's is shown. */
const shown = 4000;

function end(program: string, args: readonly string[]): Promise<void> {
	return new Promise((resolve, reject) => {
		const child = spawn(program, args, {stdio: ['ignore', 'pipe', 'pipe']});
		let log = '';
		for (const stream of [child.stdout, child.stderr]) {
			stream.setEncoding('utf8').on('data', (text: string) => {
				log = (log + text).slice(-shown);
			});
		}
		child.on('error', reject);
		child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`the recorder failed:\n${log}`))));
	});
}
