import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {text} from 'node:stream/consumers';

/** Runs a program, shows its stderr, and returns its stdout. @throws Error if it fails */
export async function run(file: string, args: readonly string[], cwd?: string): Promise<string> {
	const child = spawn(file, args, {cwd, stdio: ['ignore', 'pipe', 'inherit']});
	const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
	if (code !== 0) throw new Error(`${file} ${args.join(' ')} failed with exit code ${code}`);
	return printed;
}
