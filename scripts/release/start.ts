import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {verifiedChecksums} from './checksums.ts';
import {archiveName, executableName, platforms} from './platforms.ts';

// Unpacks the archive for this machine from dist/release, and starts what is in it: its version, and a look at a dump.
const root = join(import.meta.dirname, '../..');
const release = join(root, 'dist/release');
const {version} = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const os = process.platform === 'win32' ? 'windows' : process.platform;
const arch = process.arch === 'x64' ? 'amd64' : process.arch;
const platform = platforms.find((platform) => platform.os === os && platform.arch === arch);
if (!platform) throw new Error(`no release is made for ${os}/${arch}`);

const node = {
	apiVersion: 'v1',
	kind: 'Node',
	metadata: {name: 'first-started', creationTimestamp: '2026-01-31T14:00:00Z'},
	status: {conditions: [{type: 'Ready', status: 'True', lastHeartbeatTime: '2026-01-31T14:05:00Z'}]},
};

await verifiedChecksums(release);
const folder = mkdtempSync(join(tmpdir(), 'evictwatch-start-'));
try {
	// The tar of Windows and that of macOS unpack zip files, too.
	execFileSync('tar', ['-xf', join(release, archiveName(version, platform)), '-C', folder]);
	const say = (args: readonly string[], input = '') =>
		execFileSync(join(folder, executableName(platform)), args, {encoding: 'utf8', input});
	expect(say(['--version']), version);
	expect(say(['nodes', '-f', '-'], JSON.stringify(node)), node.metadata.name);
	console.log(`${os}/${arch}: the executable of ${version} starts, and reads a dump`);
} finally {
	rmSync(folder, {recursive: true, force: true});
}

function expect(text: string, part: string): void {
	if (!text.includes(part)) throw new Error(`there is no ${part} in: ${text}`);
}
