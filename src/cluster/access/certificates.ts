import {readTextFile} from '../../async/readTextFile.ts';
import {unique} from '../../core/collections/unique.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {fileErrorOf, UserError} from '../../text/userError.ts';

/**
 * PEM from the base64 data of a kubeconfig, else from its file; empty if neither is set.
 *
 * @throws UserError if there is none in the data or the file: TLS would trust nobody, or the system's authorities, and not say why
 */
export async function readPem(
	data: string | undefined,
	file: string | undefined,
	what: string,
): Promise<string> {
	if (data) return decodePem(data, what);
	if (!file) return '';
	return pemIn(await readNamedFile(file, what), `the ${what} in ${file}`);
}

// Node.js ignores characters that are not base64 and never fails.
function decodePem(data: string, what: string): string {
	const isBase64 = /^[A-Za-z\d+/\s]*={0,2}\s*$/.test(data);
	return pemIn(isBase64 ? Buffer.from(data, 'base64').toString('utf8') : '', `the data of the ${what}`);
}

function pemIn(text: string, what: string): string {
	if (text.includes('-----BEGIN ')) return text;
	throw new UserError(
		`there is no PEM in ${what}`,
		'write it again: the data in a kubeconfig is PEM in base64; see kubectl config view --minify',
	);
}

/** When a certificate in PEM ceases to be valid. */
export const expiryOf = (pem: string): Instant =>
	Date.parse(new (process.getBuiltinModule('node:crypto').X509Certificate)(pem).validTo);

/** Bundles of all authorities have a third of it. */
const mostOfFile = 2 ** 20;

/** Reads a file that a kubeconfig or a flag names. @throws UserError if it cannot be read and `otherwise` is empty */
export async function readNamedFile(file: string, what: string, otherwise = ''): Promise<string> {
	try {
		return await readTextFile(file, mostOfFile);
	} catch (error) {
		if (otherwise !== '') return otherwise;
		throw new UserError(
			`cannot read the ${what} in ${file}: ${fileErrorOf(error)}`,
			'the kubeconfig or a flag names this file; see kubectl config view --minify',
		);
	}
}

/** How long a file may be missing while it is replaced. */
const replacementTime: Duration = second;

/** Reads anew at each call. While a file is briefly missing, being replaced, the last value is returned. */
export function rememberingFile<T>(read: () => Promise<T>, now: () => Instant): () => Promise<T> {
	let last: {readonly value: T; readonly at: Instant} | undefined;
	return async () => {
		try {
			last = {value: await read(), at: now()};
		} catch (error) {
			if (!last || now() - last.at > replacementTime) throw error;
		}
		return last.value;
	};
}

/**
 * The certificate authorities of the operating system, in PEM: used if a cluster names none, as in kubectl. Those of Node.js
 * are added, for a system without any. SSL_CERT_FILE and SSL_CERT_DIR, which Node.js reads itself, replace both.
 */
export function systemAuthorities(): string[] {
	const {getCACertificates} = process.getBuiltinModule('node:tls');
	const system = getCACertificates('system');
	const isChosen = Boolean(process.env['SSL_CERT_FILE'] || process.env['SSL_CERT_DIR']);
	const all = [...(isChosen ? [] : getCACertificates('bundled')), ...getCACertificates('extra'), ...system];
	// Most systems have each in a bundle and as a file, and Node.js has most of them too: each takes time to parse.
	return unique(all);
}
