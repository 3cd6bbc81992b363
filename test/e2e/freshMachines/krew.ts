import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {createReadStream, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {sha256} from '../../../scripts/release/checksums.ts';
import {krewManifest} from '../../../scripts/release/krewManifest.ts';
import {archiveName, platforms} from '../../../scripts/release/platforms.ts';
import {runProgram} from '../../support/runProgram.ts';
import {hasGo} from '../buildControlPlane.ts';
import {Skipped} from './skipped.ts';

const krewModule = 'sigs.k8s.io/krew/cmd/krew@v0.4.3';

/** Has the real krew install, upgrade and remove the plugin, by an index on this machine. */
export async function withKrew(archive: string, scratch: string): Promise<Skipped | undefined> {
	if (!hasGo()) return new Skipped('Go is not installed, which builds krew');
	const bin = join(scratch, 'bin');
	execFileSync('go', ['install', krewModule], {env: {...process.env, GOBIN: bin}, stdio: 'ignore'});
	const sum = await sha256(archive);
	// Whatever is asked for is this archive.
	const server = createServer((_, response) => createReadStream(archive).pipe(response));
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const {port} = server.address() as AddressInfo;
	const index = join(scratch, 'index');
	const publish = (version: string) => {
		const checksums = new Map(platforms.map((platform) => [archiveName(version, platform), sum]));
		const manifest = krewManifest({version, homepage: `http://127.0.0.1:${port}`, checksums});
		writeFileSync(join(index, 'plugins/evictwatch.yaml'), manifest);
		execFileSync('git', ['-C', index, 'add', '.']);
		const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.org'];
		execFileSync('git', ['-C', index, ...author, 'commit', '--quiet', '-m', version]);
	};
	const env = {
		PATH: `${join(scratch, 'krew/bin')}:${bin}:${process.env['PATH']}`,
		HOME: scratch,
		KREW_ROOT: join(scratch, 'krew'),
		KREW_DEFAULT_INDEX_URI: index,
		KREW_NO_UPGRADE_CHECK: '1',
	};
	const run = async (file: string, ...args: readonly string[]) => {
		const {code, out, err} = await runProgram(file, args, {env});
		if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${code}: ${out}${err}`);
		return out + err;
	};
	try {
		mkdirSync(join(index, 'plugins'), {recursive: true});
		execFileSync('git', ['init', '--quiet', '--initial-branch=master', index]);
		publish('0.1.0');
		await run('krew', 'install', 'evictwatch');
		await run('kubectl-evictwatch', 'version', '--client');
		publish('0.1.1');
		await run('krew', 'upgrade', 'evictwatch');
		// On no terminal 'krew list' says only names.
		const receipt = readFileSync(join(scratch, 'krew/receipts/evictwatch.yaml'), 'utf8');
		if (!/version: v0\.1\.1/.test(receipt)) throw new Error(receipt);
		await run('kubectl-evictwatch', 'version', '--client');
		await run('krew', 'uninstall', 'evictwatch');
		const gone = await runProgram('kubectl-evictwatch', ['version'], {env}).catch(() => undefined);
		if (gone?.code === 0) throw new Error('the plugin is still there');
		return undefined;
	} finally {
		server.close();
	}
}
