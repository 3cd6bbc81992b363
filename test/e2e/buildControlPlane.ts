import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync} from 'node:fs';
import {join} from 'node:path';

const module = join(import.meta.dirname, 'controlplane');
const compiler = 'go';
const cache = join(import.meta.dirname, '../../.cache/e2e');

/** The Kubernetes version that the Go module asks for. */
export function kubernetesVersion(): string {
	const version = /^require k8s\.io\/kubernetes (v\S+)$/m.exec(
		readFileSync(join(module, 'go.mod'), 'utf8'),
	)?.[1];
	if (version === undefined) throw new Error('go.mod does not say which Kubernetes it wants');
	return version;
}

/** Whether there is a Go to build with. What it builds may still fail, and that is no reason to skip. */
export function hasGo(): boolean {
	try {
		execFileSync(compiler, ['version'], {stdio: 'ignore'});
		return true;
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
		throw error;
	}
}

/** The control plane's program: the cached one where the module's files are the ones it was built from. */
export function buildControlPlane(say: (line: string) => void): string {
	const program = join(cache, `controlplane-${moduleHash()}`);
	if (existsSync(program)) return program;
	say(`building the control plane (Kubernetes ${kubernetesVersion()}): minutes the first time, once`);
	const unfinished = `${program}.${process.pid}`;
	mkdirSync(cache, {recursive: true});
	execFileSync(
		compiler,
		['build', '-mod=readonly', '-trimpath', '-ldflags', linkerFlags(), '-o', unfinished, '.'],
		{
			cwd: module,
			env: {...process.env, CGO_ENABLED: '0'},
			stdio: ['ignore', 'inherit', 'inherit'],
		},
	);
	for (const outdated of globSync(join(cache, 'controlplane-*'))) {
		if (outdated !== unfinished) rmSync(outdated);
	}
	renameSync(unfinished, program);
	return program;
}

function moduleHash(): string {
	const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`);
	for (const name of ['go.mod', 'go.sum', ...globSync('*.go', {cwd: module}).sort()]) {
		hash.update(`${name}\n`).update(readFileSync(join(module, name)));
	}
	return hash.digest('hex').slice(0, 16);
}

// A program built from modules does not know its version, and clients choose the controllers' behaviour by it.
function linkerFlags(): string {
	const version = kubernetesVersion();
	const [, major, minor] = /^v(\d+)\.(\d+)/.exec(version) ?? [];
	const values = {gitVersion: version, gitMajor: major, gitMinor: minor, gitTreeState: 'clean'};
	const stamps = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap((name) =>
		Object.entries(values).map(([variable, value]) => `-X ${name}.${variable}=${value}`),
	);
	return ['-s', '-w', ...stamps].join(' ');
}
