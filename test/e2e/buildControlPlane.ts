import {existsSync, globSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join, relative} from 'node:path';
import {buildOnce, builtPath, sourceHash} from '../support/golang/buildOnce.ts';
import {askGo, runGo} from '../support/golang/go.ts';
import {
	kubernetesGoMod,
	kubernetesModfile,
	requiredVersion,
	stagingVersion,
} from '../support/golang/kubernetesModfile.ts';

/** The folder of the control plane's Go module, and of the kubelet's. */
export const module = join(import.meta.dirname, 'controlplane');
/** The folder of built programs. */
export const cache = join(import.meta.dirname, '../../.cache/e2e');
const ownStem = join(cache, 'controlplane');

/** The Kubernetes version in the Go module's go.mod. */
export function kubernetesVersion(): string {
	const version = /^require k8s\.io\/kubernetes (v\S+)$/m.exec(
		readFileSync(join(module, 'go.mod'), 'utf8'),
	)?.[1];
	if (version === undefined) throw new Error('go.mod does not say which Kubernetes it wants');
	return version;
}

/** Whether Go is installed. A failing build is an error, not a reason to skip. */
export function hasGo(): boolean {
	try {
		askGo(['version'], module);
		return true;
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
		throw error;
	}
}

/** Whether to end without a failure, since Go is not installed; says so. */
export function skipsWithoutGo(): boolean {
	if (hasGo()) return false;
	console.log('skipped: Go is not installed');
	return true;
}

/**
 * The path of the control plane's program, built unless a build of the same module files is cached.
 *
 * @param version of Kubernetes; the module's own by default
 */
export function buildControlPlane(say: (line: string) => void, version = kubernetesVersion()): string {
	const isOwn = version === kubernetesVersion();
	const modfile = isOwn ? 'go.mod' : writeModfile(version);
	const stem = isOwn ? ownStem : join(cache, `older-${version}`);
	return buildOnce(stem, hashOf(modfile), (file) => {
		say(`building the control plane (Kubernetes ${version}): minutes the first time, once`);
		compile('.', file, version, isOwn ? ['-mod=readonly'] : ['-mod=mod', `-modfile=${modfile}`]);
	});
}

/** The path of the kubelet's program, of the control plane's version and from its module. */
export function buildKubelet(say: (line: string) => void): string {
	const version = kubernetesVersion();
	return buildOnce(join(cache, 'kubelet'), sourceHash(module, ['go.mod', 'go.sum']), (file) => {
		say(`building the kubelet (Kubernetes ${version})`);
		compile('k8s.io/kubernetes/cmd/kubelet', file, version, ['-mod=readonly']);
	});
}

function compile(name: string, file: string, version: string, mode: readonly string[]): void {
	const flags = [...mode, '-trimpath', '-ldflags', linkerFlags(version)];
	runGo(['build', ...flags, '-o', file, name], module, {CGO_ENABLED: '0'});
}

/** Whether the control plane of the module's own version is already built. */
export const isControlPlaneBuilt = (): boolean => existsSync(builtPath(ownStem, hashOf('go.mod')));

function hashOf(modfile: string): string {
	const sums = modfile === 'go.mod' ? ['go.sum'] : [];
	return sourceHash(module, [modfile, ...sums, ...globSync('*.go', {cwd: module}).sort()]);
}

/** Writes a go.mod for another version, with its release's etcd. The build adds what is missing. */
function writeModfile(version: string): string {
	const kubernetes = kubernetesGoMod(version);
	const etcd = 'go.etcd.io/etcd/server/v3';
	// The server's version, or the client's if Kubernetes requires only the client; both are released together.
	const of = requiredVersion(kubernetes, etcd) ?? requiredVersion(kubernetes, 'go.etcd.io/etcd/client/v3');
	const text = kubernetesModfile(
		{
			module: 'evictwatch.dev/e2e/controlplane',
			version,
			requires: {'k8s.io/component-base': stagingVersion(version), ...(of !== undefined && {[etcd]: of})},
		},
		kubernetes,
	);
	const [wanted, file] = [join(cache, `${version}.wanted.mod`), join(cache, `${version}.mod`)];
	mkdirSync(cache, {recursive: true});
	if (!existsSync(wanted) || readFileSync(wanted, 'utf8') !== text) {
		writeFileSync(wanted, text);
		writeFileSync(file, text);
	}
	return relative(module, file);
}

// A program built from modules does not know its version, but clients choose the controllers' behaviour by it.
function linkerFlags(version: string): string {
	const [, major, minor] = /^v(\d+)\.(\d+)/.exec(version) ?? [];
	const values = {gitVersion: version, gitMajor: major, gitMinor: minor, gitTreeState: 'clean'};
	const stamps = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap((name) =>
		Object.entries(values).map(([variable, value]) => `-X ${name}.${variable}=${value}`),
	);
	return ['-s', '-w', ...stamps].join(' ');
}
