import {execFileSync} from 'node:child_process';
import {copyFileSync, mkdirSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {runProgram} from '../../support/runProgram.ts';
import type {Check} from '../judge.ts';
import type {Unpacked} from './archives.ts';

/** Runs the executable through kubectl, with nothing else on PATH. */
export async function asPlugin(
	{executable}: Unpacked,
	kubeconfig: string,
	scratch: string,
): Promise<readonly Check[]> {
	const bin = join(scratch, 'bin');
	mkdirSync(bin);
	copyFileSync(executable, join(bin, 'kubectl-evictwatch'));
	symlinkSync(execFileSync('which', ['kubectl'], {encoding: 'utf8'}).trim(), join(bin, 'kubectl'));
	// The completion's timeout is half a second for users; a busy machine may need longer.
	const env = {PATH: bin, HOME: scratch, KUBECONFIG: kubeconfig, EVICTWATCH_COMPLETION_TIMEOUT: '20000'};
	const kubectl = async (name: string, args: readonly string[], want: RegExp): Promise<Check> => {
		const {code, out, err} = await runProgram(join(bin, 'kubectl'), args, {env});
		const isRight = code === 0 && want.test(out);
		return {
			name: `the executable as kubectl's plugin: ${name}`,
			failures: isRight ? [] : [`exit code ${code}: ${out}${err}`],
		};
	};
	const expecting = (name: string, args: readonly string[], want: RegExp) =>
		kubectl(name, ['evictwatch', ...args], want);
	const shim = await expecting('the shim', ['completion', '--install-shim'], /kubectl_complete-evictwatch/);
	return [
		shim,
		await kubectl('kubectl completes its commands', ['__complete', 'evictwatch', 'wh'], /^what-if\b.*\n:4\n/),
		await kubectl(
			'kubectl completes names of the cluster',
			['__complete', 'evictwatch', 'explain', 'node/'],
			/^node\/a-1\b.*\n/,
		),
		await expecting('version', ['version'], /^Client Version: v.*\n(?:.*\n)*Server Version: v/),
		await expecting('pods', ['pods', '-A', '--all'], /^NAMESPACE +NAME .*\n(?:.* Safe .*\n)+/),
		await expecting('explain', ['explain', 'node/a-1'], /a-1/),
		await expecting('demo', ['demo'], /It came inside every range that was predicted, .*\n$/),
	];
}
