import {readFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {askGo} from './go.ts';

/** The requirements of a program that is built from a Kubernetes release. */
type Wanted = {
	/** The program's own module path. */
	readonly module: string;
	/** The Kubernetes version, such as `v1.36.3`. */
	readonly version: string;
	/** The lowest go line that the program itself needs. */
	readonly go?: string;
	/** Further modules that it imports, with their versions; none of Kubernetes' own. */
	readonly requires?: Readonly<Record<string, string>>;
};

/**
 * Writes a go.mod for a program that imports `k8s.io/kubernetes`. It cannot be required as it is: the modules of its staging
 * folder are replaced by those that were published with the release.
 *
 * @param kubernetes the release's own go.mod
 */
export function kubernetesModfile({module, version, go, requires = {}}: Wanted, kubernetes: string): string {
	const staging = [...kubernetes.matchAll(/^\t(k8s\.io\/\S+) => \.\/staging\//gm)].map(([, name]) => name);
	if (staging.length === 0) throw new Error(`the go.mod of Kubernetes ${version} names no staging modules`);
	const published = stagingVersion(version);
	const required = {...requires, 'k8s.io/kubernetes': version};
	const parts = [
		`module ${module}`,
		`go ${newerGo(goOf(kubernetes), go)}`,
		block(
			'require',
			Object.entries(required).map(([name, of]) => `${name} ${of}`),
		),
		block(
			'replace',
			staging.map((name) => `${name} => ${name} ${published}`),
		),
	];
	return `${parts.join('\n\n')}\n`;
}

/** The version under which a release's staging modules are published: `v0.36.3` for `v1.36.3`. */
export const stagingVersion = (version: string) => version.replace(/^v1\./, 'v0.');

/** The version of a module that a go.mod requires. */
export function requiredVersion(goMod: string, module: string): string | undefined {
	const line = new RegExp(`^(?:require |\\t)${module.replaceAll('.', '\\.')} (v\\S+)`, 'm');
	return line.exec(goMod)?.[1];
}

/** Downloads a Kubernetes release unless it is cached, and reads its go.mod. @throws Error if it wants a newer Go */
export function kubernetesGoMod(version: string): string {
	// Outside of any module, because the go command would also resolve that module's requirements.
	const {GoMod, Error: reason} = JSON.parse(download(version)) as {GoMod: string; Error?: string};
	if (reason !== undefined) throw new Error(reason);
	return readFileSync(GoMod, 'utf8');
}

/** What the go command answers; where it fails, too, its answer says why. */
function download(version: string): string {
	try {
		return askGo(['mod', 'download', '-json', `k8s.io/kubernetes@${version}`], tmpdir());
	} catch (error) {
		const {stdout} = error as {stdout?: string};
		if (!stdout) throw error;
		return stdout;
	}
}

const block = (verb: string, lines: readonly string[]) =>
	[`${verb} (`, ...lines.toSorted().map((line) => `\t${line}`), ')'].join('\n');

const goOf = (goMod: string) => /^go (\S+)$/m.exec(goMod)?.[1] ?? '1.16';

function newerGo(a: string, b = a): string {
	const minor = (version: string) => Number(version.split('.')[1]);
	return minor(a) >= minor(b) ? a : b;
}
