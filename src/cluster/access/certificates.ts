import {readFile} from 'node:fs/promises';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {fileErrorOf, UserError} from '../../text/userError.ts';

/**
 * PEM from the base64 data of a kubeconfig, else from its file; empty where it has neither.
 *
 * @throws UserError where what is given is nothing: whoever names an authority does not mean all that the system trusts.
 */
export async function readPem(
	data: string | undefined,
	file: string | undefined,
	what: string,
): Promise<string> {
	if (data) return decodePem(data, what);
	if (!file) return '';
	return nonEmpty(await readNamedFile(file, what), `the ${what} in ${file}`);
}

// Node.js passes over what is no base64, and stops at nothing.
function decodePem(data: string, what: string): string {
	const isBase64 = /^[A-Za-z\d+/\s]*={0,2}\s*$/.test(data);
	return nonEmpty(isBase64 ? Buffer.from(data, 'base64').toString('utf8') : '', `the data of the ${what}`);
}

function nonEmpty(pem: string, what: string): string {
	if (pem.trim() !== '') return pem;
	throw new UserError(
		`there is nothing in ${what}`,
		'write it again: the data in a kubeconfig is PEM in base64; see kubectl config view --minify',
	);
}

/**
 * The text of a file that a kubeconfig or a flag names.
 *
 * @throws UserError where it cannot be read and there is nothing else to use.
 */
export async function readNamedFile(file: string, what: string, otherwise = ''): Promise<string> {
	try {
		return await readFile(file, 'utf8');
	} catch (error) {
		if (otherwise !== '') return otherwise;
		throw new UserError(
			`cannot read the ${what} in ${file}: ${fileErrorOf(error)}`,
			'the kubeconfig or a flag names this file; see kubectl config view --minify',
		);
	}
}

/** How long a file may be away while it is replaced. */
const replacement: Duration = second;

/** Reads anew each time. While a file is away for a moment, being replaced, what was read last does. */
export function rememberingFile<T>(read: () => Promise<T>, now: () => Instant): () => Promise<T> {
	let last: {readonly value: T; readonly at: Instant} | undefined;
	return async () => {
		try {
			last = {value: await read(), at: now()};
		} catch (error) {
			if (!last || now() - last.at > replacement) throw error;
		}
		return last.value;
	};
}

/**
 * Whom the operating system trusts, in PEM: taken where a cluster names no certificate authority, as kubectl does. Those
 * that come with Node.js make up for a system without any. SSL_CERT_FILE and SSL_CERT_DIR, which Node.js reads itself,
 * replace the system's list, and then nothing else is trusted.
 */
export function systemAuthorities(): string[] {
	const {getCACertificates} = process.getBuiltinModule('node:tls');
	const system = getCACertificates('system');
	const isChosen = Boolean(process.env['SSL_CERT_FILE'] || process.env['SSL_CERT_DIR']);
	return isChosen ? [...system, ...getCACertificates('extra')] : [...getCACertificates('default'), ...system];
}
