import {execFileSync} from 'node:child_process';
import {chmodSync, existsSync, mkdirSync, symlinkSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {PtyProgram} from '../../cmd/pty.ts';
import {runProgram} from '../../support/runProgram.ts';

const root = join(import.meta.dirname, '../../..');

/** The user nobody. Without root, whoever runs this. */
const user = '65534';
const unprivileged =
	process.getuid?.() === 0 ? ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups'] : ['env'];

/** How the network is reached: a new user is told so by whoever runs it, a proxy of a company and its certificates too. */
const network: Readonly<Record<string, string>> = {
	...Object.fromEntries(
		Object.entries(process.env).flatMap(([name, value]) =>
			/^(NODE_EXTRA_CA_CERTS|NODE_USE_\w+|SSL_CERT_\w+|(HTTPS?|ALL|NO)_PROXY)$/i.test(name)
				? [[name, value ?? '']]
				: [],
		),
	),
	...npmNetwork(),
};

/** What a new user has: a clone of this project, an empty home, some npm, some Node.js, and no rights. */
export class FreshMachine {
	readonly clone: string;
	readonly #env: Readonly<Record<string, string>>;

	/** @param folder its own, beside those of others @param npm a version @param node a major version */
	constructor(folder: string, npm: string, node: string) {
		this.clone = join(folder, 'clone');
		const [bin, home] = [join(folder, 'bin'), join(folder, 'home')];
		for (const path of [bin, home]) mkdirSync(path, {recursive: true});
		execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, this.clone]);
		const npmFolder = join(installed(dirname(folder), `npm@${npm}`), 'npm/bin');
		for (const name of ['npm', 'npx']) symlinkSync(join(npmFolder, `${name}-cli.js`), join(bin, name));
		const platform = `node-linux-${process.arch}`;
		const nodeFolder = join(installed(dirname(folder), `${platform}@${node}`), platform, 'bin');
		this.#env = {
			...network,
			PATH: `${bin}:${nodeFolder}:/usr/bin:/bin`,
			HOME: home,
			TERM: 'xterm-256color',
			LANG: 'C.UTF-8',
		};
		this.own(folder);
	}

	/** Gives a folder to the user. */
	own(folder: string): void {
		chmodSync(folder, 0o755);
		if (unprivileged.length > 1) execFileSync('chown', ['-R', `${user}:${user}`, folder]);
	}

	/** Runs a command in the clone, or in another folder. @throws Error if it fails */
	async run(command: string, cwd = this.clone): Promise<string> {
		const [file = '', ...args] = [...unprivileged, 'sh', '-c', command];
		const {code, out, err} = await runProgram(file, args, {env: this.#env, cwd, maxBuffer: 2 ** 26});
		if (code !== 0) throw new Error(`${command} ended with ${code}: ${out.slice(-1000)}${err.slice(-1000)}`);
		return out + err;
	}

	/** Runs a command on a terminal until its screen matches, and ends it. @param before what it must have said until then */
	async shows(command: string, what: RegExp, before = ''): Promise<void> {
		const [file = '', ...args] = [...unprivileged, 'sh', '-c', `cd '${this.clone}' && ${command}`];
		const program = new PtyProgram(file, args, this.#env, 120, 40);
		try {
			const ended = program.exited.then(() =>
				Promise.reject(new Error(`${command} ended:\n${program.text()}`)),
			);
			await Promise.race([program.shows(what, 300_000), ended]);
			if (!program.written.includes(before)) throw new Error(`${before} was not said`);
		} finally {
			program.kill('SIGHUP');
			await program.exited;
		}
	}
}

/** Installs an npm package beside the machines, once for all. Returns its node_modules. */
function installed(folder: string, name: string): string {
	const prefix = join(folder, name.replaceAll(/\W/g, '-'));
	if (!existsSync(prefix))
		execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefix', prefix, name]);
	return join(prefix, 'node_modules');
}

/** What npm is told here of registries, proxies and certificates, whether in a file or in a variable. */
function npmNetwork(): Readonly<Record<string, string>> {
	const keys = ['registry', 'cafile', 'strict-ssl', 'proxy', 'https-proxy', 'noproxy'];
	const told = execFileSync('npm', ['config', 'get', ...keys], {encoding: 'utf8'});
	return Object.fromEntries(
		[...told.matchAll(/^([\w-]+) ?= ?(?!null$)(.+)$/gm)].map(([, key = '', value = '']) => [
			`npm_config_${key.replaceAll('-', '_')}`,
			value,
		]),
	);
}
