import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {verifySignature} from '../../../scripts/release/signature.ts';
import {skipsWithoutGo} from '../buildControlPlane.ts';
import type {Check} from '../judge.ts';
import {report} from '../report.ts';
import {runSession, type Session, say} from '../session.ts';
import {archives, isReproducible, makeRelease, type Unpacked, unpack} from './archives.ts';
import {onArm64} from './arm64.ts';
import {formats} from './formats.ts';
import {asPlugin} from './plugin.ts';

if (skipsWithoutGo()) process.exit(0);

// With --native only the archive for this machine is packed and tried as a plugin: one minute instead of ten.
const isNative = process.argv.includes('--native');

const scratch = mkdtempSync(join(tmpdir(), 'evictwatch-release-'));
const code = await check().finally(() => rmSync(scratch, {recursive: true, force: true}));
process.exit(code);

/** Packs and unpacks everything, and tries what runs on this machine. */
async function check(): Promise<number> {
	if (isNative) {
		makeRelease(['linux_amd64']);
		return tryNative([]);
	}
	const sums = makeRelease();
	say('packed for all platforms');
	const unpacked = archives().map((archive) => unpack(archive, scratch));
	const checks: Check[] = [
		...unpacked.flatMap(formats),
		...(await Promise.all(unpacked.filter(({os}) => os === 'darwin').map(signature))),
		...(await onArm64(find(unpacked, 'linux', 'arm64'), say)),
	];
	return tryNative([...checks, isReproducible(sums)], unpacked);
}

/** Tries the executable for this machine on its own control plane, and reports on that after the checks that are given. */
async function tryNative(
	before: readonly Check[],
	unpacked: readonly Unpacked[] = archives().map((archive) => unpack(archive, scratch)),
): Promise<number> {
	const native = find(unpacked, 'linux', 'amd64');
	const checks = [...before];
	const use = async ({cluster}: Session) => {
		checks.push(...(await asPlugin(native, cluster.controlPlane.viewerKubeconfig, scratch)));
		return 0;
	};
	const code = await runSession(use, undefined, {layout: {a: 2}});
	return report(checks) || code;
}

function find(unpacked: readonly Unpacked[], os: string, arch: string): Unpacked {
	const found = unpacked.find((one) => one.os === os && one.arch === arch);
	if (!found) throw new Error(`there is no archive for ${os}/${arch}`);
	return found;
}

async function signature({executable, os, arch}: Unpacked): Promise<Check> {
	const failures = await verifySignature(executable).then(
		() => [],
		(error: Error) => [error.message],
	);
	return {name: `${os}/${arch}: every page is what its ad-hoc signature says`, failures};
}
