import {existsSync, globSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join, relative} from 'node:path';
import {buildOnce, sourceHash} from '../../support/golang/buildOnce.ts';
import {runGo} from '../../support/golang/go.ts';
import {
	kubernetesGoMod,
	kubernetesModfile,
	requiredVersion,
	stagingVersion,
} from '../../support/golang/kubernetesModfile.ts';
import {withWaitingLocks} from './waitingLocks.ts';

const module = import.meta.dirname;
const cache = join(module, '../../../.cache/oracle');
const releases = join(module, 'releases');

/** The recorders, by package. */
export type Recorder = 'record' | 'kubelet' | 'devices' | 'repair' | 'workloads';

/** The modules of the projects whose node repair is recorded, by the prefix of their versions. */
const repairModules = {
	karpenter: 'sigs.k8s.io/karpenter',
	machineapi: 'github.com/openshift/machine-api-operator',
	clusterapi: 'sigs.k8s.io/cluster-api',
} as const;

export type RepairProject = keyof typeof repairModules;

/** The name of a release line: `v1.36` for `v1.36.3`, `karpenter-v1.14` for `karpenter-v1.14.1`. */
export const lineOf = (version: string) => version.split('.').slice(0, 2).join('.');

/** Whether it is a version of Kubernetes, or of a project with node repair. */
export const isVersion = (text: string) =>
	/^v\d+\.\d+\.\d+(-[\w.-]+)?$/.test(repairOf(text)?.version ?? text);

/** The node repair project and its version; undefined for a version of Kubernetes. */
export function repairOf(
	version: string,
): {readonly project: RepairProject; readonly version: string} | undefined {
	const [, project, of] = /^(karpenter|machineapi|clusterapi)-(.*)$/.exec(version) ?? [];
	return project === undefined || of === undefined
		? undefined
		: {project: project as RepairProject, version: of};
}

/**
 * Builds a recorder with a release's own controllers, unless it is cached.
 *
 * @returns the program's path
 */
export function buildRecorder(recorder: Recorder, version: string, say: (line: string) => void): string {
	const kept = modfileOf(version);
	// Later releases hold no locks during calls, except in a zone's queue, where calls take no time here.
	const modfile = lineOf(version) === 'v1.16' ? withWaitingLocks(version, kept, module, cache) : kept;
	const sources = globSync('**/*.go', {cwd: module}).sort();
	// A generated go.mod is completed by the build, so only a kept one is part of the hash.
	if (isKept(version)) sources.push(relative(module, kept));
	if (modfile !== kept) sources.push('waitingLocks.ts');
	const hash = sourceHash(module, sources);
	return buildOnce(join(cache, `${recorder}-${version}`), hash, (file) => {
		say(`building the ${recorder} recorder with ${nameOf(version)}: minutes the first time`);
		go(version, ['test', '-c', ...buildFlags(version, modfile), '-o', file, `./${recorder}`]);
	});
}

/** Runs the harness' own tests with a release. */
export function testHarness(version: string): void {
	go(version, ['test', ...buildFlags(version, modfileOf(version)), './...']);
}

const nameOf = (version: string) => {
	const repair = repairOf(version);
	return repair ? `${repairModules[repair.project]} ${repair.version}` : `Kubernetes ${version}`;
};

function go(version: string, args: readonly string[]): void {
	// The build adds missing requirements to a generated go.mod.
	runGo(args, module, isKept(version) ? {} : {GOFLAGS: '-mod=mod'});
}

/** The build tag of the release line; lines with a different client library have files of their own. */
function buildFlags(version: string, modfile: string): string[] {
	const tag = repairOf(version)?.project ?? lineOf(version);
	return ['-vet=off', `-modfile=${modfile}`, `-tags=${tag}`];
}

const keptModfile = (version: string) => join(releases, `${lineOf(version)}.mod`);

/** The release's module and version. */
function releaseOf(version: string): readonly [module: string, version: string] {
	const repair = repairOf(version);
	return repair ? [repairModules[repair.project], repair.version] : ['k8s.io/kubernetes', version];
}

function isKept(version: string): boolean {
	const [required, wanted] = releaseOf(version);
	return (
		existsSync(keptModfile(version)) &&
		requiredVersion(readFileSync(keptModfile(version), 'utf8'), required) === wanted
	);
}

/** The go.mod for a release: the kept one, or one in the cache, generated from a kept one or from the release's own. */
function modfileOf(version: string): string {
	if (isKept(version)) return keptModfile(version);
	const made = join(cache, `${version}.mod`);
	if (existsSync(made)) return made;
	mkdirSync(cache, {recursive: true});
	writeFileSync(made, madeModfile(version));
	return made;
}

function madeModfile(version: string): string {
	if (repairOf(version) !== undefined)
		return `module evictwatch.dev/oracle\n\ngo ${goVersion()}\n\nrequire ${releaseOf(version).join(' ')}\n`;
	return existsSync(keptModfile(version)) ? otherPatch(version) : newModfile(version);
}

function otherPatch(version: string): string {
	const kept = readFileSync(keptModfile(version), 'utf8');
	const known = requiredVersion(kept, 'k8s.io/kubernetes') ?? '';
	return kept.replaceAll(known, version).replaceAll(stagingVersion(known), stagingVersion(version));
}

function newModfile(version: string): string {
	const parts = {module: 'evictwatch.dev/oracle', version, go: goVersion()};
	return kubernetesModfile(parts, kubernetesGoMod(version));
}

const goVersion = () => /^go (\S+)$/m.exec(readFileSync(join(module, 'go.mod'), 'utf8'))?.[1] ?? '';
