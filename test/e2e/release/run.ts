import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {verifySignature} from '../../../scripts/release/signature.ts';
import {hasGo} from '../buildControlPlane.ts';
import type {Check} from '../judge.ts';
import {summary} from '../report.ts';
import {runSession, type Session, say} from '../session.ts';
import {archives, isReproducible, makeRelease, type Unpacked, unpack} from './archives.ts';
import {onArm64} from './arm64.ts';
import {formats} from './formats.ts';
import {asPlugin} from './plugin.ts';

if (!hasGo()) {
	console.log('skipped: Go is not installed');
	process.exit(0);
}

// With --native only the archive for this machine is packed and tried as a plugin: one minute instead of ten.
const isNative = process.argv.includes('--native');

const scratch = mkdtempSync(join(tmpdir(), 'evictwatch-release-'));
const code = await check().finally(() => rmSync(scratch, {recursive: true, force: true}));
process.exit(code);

/** Packs and unpacks everything, and tries what runs on this machine. */
async function check(): Promise<number> {
	if (isNative) {
		makeRelease(['linux_amd64']);
		return report([], await tryNative());
	}
	const sums = makeRelease();
	say('packed for all platforms');
	const unpacked = archives().map((archive) => unpack(archive, scratch));
	const checks: Check[] = [
		...unpacked.flatMap(formats),
		...(await Promise.all(unpacked.filter(({os}) => os === 'darwin').map(signature))),
		...(await onArm64(find(unpacked, 'linux', 'arm64'), say)),
	];
	const tried = await tryNative(unpacked);
	return report([...checks, isReproducible(sums)], tried);
}

/** Tries the executable for this machine on its own control plane. */
async function tryNative(
	unpacked: readonly Unpacked[] = archives().map((archive) => unpack(archive, scratch)),
) {
	const native = find(unpacked, 'linux', 'amd64');
	const checks: Check[] = [];
	const use = async ({cluster}: Session) => {
		checks.push(...(await asPlugin(native, cluster.controlPlane.viewerKubeconfig, scratch)));
		return 0;
	};
	const code = await runSession(use, undefined, {layout: {a: 2}});
	return {code, checks};
}

function report(before: readonly Check[], tried: {readonly code: number; readonly checks: readonly Check[]}) {
	const checks = [...before, ...tried.checks];
	for (const {name, failures} of checks) if (failures.length === 0) console.log(`ok      ${name}`);
	console.log(summary(checks));
	return tried.code !== 0 || checks.some(({failures}) => failures.length > 0) ? 1 : 0;
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
