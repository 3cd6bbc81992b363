import {spawn} from 'node:child_process';
import {once} from 'node:events';

/** Runs a program, shows its stderr, and returns its stdout. @throws Error if it fails */
export async function run(file: string, args: readonly string[], cwd?: string): Promise<string> {
	const child = spawn(file, args, {cwd, stdio: ['ignore', 'pipe', 'inherit']});
	const printed: Buffer[] = [];
	child.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
	const [code] = await once(child, 'close');
	if (code !== 0) throw new Error(`${file} ${args.join(' ')} failed with exit code ${code}`);
	return Buffer.concat(printed).toString();
}
