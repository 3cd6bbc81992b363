import {orAborted} from '../../async/orAborted.ts';
import type {Timing} from '../../async/timing.ts';
import {beginningOfTime, type Duration, type Instant, never, second} from '../../core/time/instant.ts';
import {keepSecret, opaqueWords, withoutOpaqueWords} from '../../text/redact.ts';
import {decodeTime, fieldsOf, parsedJson, textOf} from '../codec/rawJson.ts';
import type {Access} from './access.ts';
import {readPem} from './certificates.ts';
import type {Environment} from './environment.ts';
import {type Exited, keepPrinted, pluginError, runPlugin} from './execPlugin.ts';
import type {Credential, ExecPlugin} from './kubeconfigEntries.ts';

/** Credentials are renewed this long before they expire, for the duration of a request and clock differences. */
const expirySkew = 10 * second;

/** An ended plugin has exited by then. */
const closingLimit = second;

const apiVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

export type CredentialTiming = Pick<Timing, 'now' | 'elapsed' | 'pluginTimeout'>;

/** A plugin that is running or waiting for the terminal. */
export type PluginAtWork = {
	readonly command: string;
	/** By `Timing.elapsed`. */
	readonly startedAt: Duration;
	/** Whether it may prompt the user. */
	readonly hasTerminal: boolean;
};

/**
 * The credentials that a plugin issues, cached until they expire or are rejected. Concurrent requests share one run of the
 * plugin.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/plugin/pkg/client/auth/exec/exec.go
 */
export class ExecCredentials {
	readonly #access: Access;
	readonly #environment: Environment;
	readonly #timing: CredentialTiming;
	readonly #closing = new AbortController();
	#issued: {readonly credential: Credential; readonly expiresAt: Instant} | undefined;
	#running: Promise<Credential> | undefined;
	#atWork: PluginAtWork | undefined;

	constructor(access: Access, environment: Environment, timing: CredentialTiming) {
		this.#access = access;
		this.#environment = environment;
		this.#timing = timing;
	}

	/**
	 * @param signal ends the wait of this call; others may still wait for the same run
	 * @throws UserError if the plugin is missing, fails, times out or prints something invalid; the signal's reason
	 */
	async current(signal?: AbortSignal): Promise<Credential> {
		const {expiresAt = beginningOfTime, credential} = this.#issued ?? {};
		if (credential && this.#timing.now() < expiresAt - expirySkew) return credential;
		this.#running ??= this.#run().finally(() => {
			this.#running = undefined;
			this.#atWork = undefined;
		});
		return orAborted(this.#running, signal);
	}

	get atWork(): PluginAtWork | undefined {
		return this.#atWork;
	}

	/** Ends the current run. A run that waits for the terminal never starts. */
	async close(): Promise<void> {
		this.#closing.abort();
		if (this.#running)
			await orAborted(this.#running, AbortSignal.timeout(closingLimit)).catch(() => undefined);
	}

	discard(rejected: Credential) {
		// If several requests are rejected at once, a newer credential must survive.
		const {authorization, certificate} = this.#issued?.credential ?? {};
		const isTheSame =
			authorization === rejected.authorization &&
			(certificate === undefined || certificate.cert === rejected.certificate?.cert);
		if (isTheSame) this.#issued = undefined;
	}

	async #run(): Promise<Credential> {
		const {exec: plugin, cluster} = {...this.#access.user, cluster: this.#access.cluster};
		if (!plugin) return {};
		const ca = await readPem(cluster.caData, cluster.caFile, 'CA certificate');
		const info = {
			apiVersion: plugin.apiVersion,
			kind: 'ExecCredential',
			spec: {
				interactive: this.#isInteractive(plugin),
				cluster: plugin.provideClusterInfo ? clusterInfo(this.#access, ca) : undefined,
			},
		};
		this.#atWork = {
			command: plugin.command ?? '',
			startedAt: this.#timing.elapsed(),
			hasTerminal: info.spec.interactive,
		};
		// It may say its credential before it prints it.
		const {showForeign} = this.#environment;
		let whole = '';
		const show = (text: string) => {
			const known = withoutOpaqueWords(text);
			if (known !== text) whole += text;
			showForeign(known);
		};
		const exited = await runPlugin(
			plugin,
			info,
			{...this.#environment, showForeign: show},
			{
				limit: this.#timing.pluginTimeout(this.#environment.isInteractive),
				signal: this.#closing.signal,
			},
		);
		try {
			this.#issued = readIssued(exited, plugin);
			return this.#issued.credential;
		} catch (error) {
			keepPrinted(exited.output);
			// A plugin that fails must be able to say why: its words are shown whole unless it printed one of them. Of one that exited
			// before it printed anything, they may still hold its credential.
			if (whole !== '' && !shareWords(whole, exited.output)) showForeign(whole);
			throw error;
		}
	}

	#isInteractive(plugin: ExecPlugin) {
		if (!apiVersions.includes(plugin.apiVersion ?? '')) {
			throw pluginError(plugin, `speaks "${plugin.apiVersion}", which is not supported`);
		}
		if (plugin.interactiveMode === 'Always' && !this.#environment.isInteractive) {
			throw pluginError(plugin, 'wants to ask something, but there is no terminal');
		}
		return this.#environment.isInteractive && plugin.interactiveMode !== 'Never';
	}
}

function clusterInfo({cluster}: Access, ca: string) {
	return {
		// Unchanged, as plugins may identify clusters by it.
		server: cluster.server,
		'tls-server-name': cluster.tlsServerName || undefined,
		'insecure-skip-tls-verify': cluster.skipTLSVerify || undefined,
		'certificate-authority-data': ca === '' ? undefined : Buffer.from(ca).toString('base64'),
		'proxy-url': cluster.proxyUrl || undefined,
		'disable-compression': cluster.disableCompression || undefined,
		config: cluster.execConfig,
	};
}

/** Whether one says an opaque word of the other, or a part of it. */
const shareWords = (one: string, other: string): boolean =>
	opaqueWords(one).some((word) => other.includes(word)) ||
	opaqueWords(other).some((word) => one.includes(word));

function readIssued({output, code}: Exited, plugin: ExecPlugin) {
	if (code !== 0) throw pluginError(plugin, `failed (${code})`);
	const parsed = parsedJson(output);
	if (parsed === undefined) {
		// It may be a bare token.
		keepSecret(output);
		throw pluginError(plugin, 'did not print JSON');
	}
	const answer = fieldsOf<{apiVersion: string; kind: string; status: unknown}>(parsed);
	if (answer.kind !== 'ExecCredential' || answer.apiVersion !== plugin.apiVersion) {
		throw pluginError(plugin, `did not print an ExecCredential of ${plugin.apiVersion}`);
	}
	const status = fieldsOf<
		Record<'token' | 'clientCertificateData' | 'clientKeyData' | 'expirationTimestamp', string>
	>(answer.status);
	const token = textOf(status.token);
	const [cert, key] = [textOf(status.clientCertificateData), textOf(status.clientKeyData)];
	if (token === '' && (cert === '' || key === '')) throw pluginError(plugin, 'printed no credential');
	keepSecret(token, key);
	const credential: Credential = {
		authorization: token === '' ? undefined : `Bearer ${token}`,
		certificate: cert === '' || key === '' ? undefined : {cert, key},
	};
	return {credential, expiresAt: decodeTime(status.expirationTimestamp) ?? never};
}
