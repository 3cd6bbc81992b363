const removed = '[removed]';

/** Maximum number of remembered secrets; renewed credentials replace the oldest. */
const maxSecrets = 200;
/** Shorter secrets would match inside ordinary words. */
const minSecretLength = 6;
const secrets = new Set<string>();

/** Remembers credentials as they are read; `redact` removes them from all later messages. */
export function keepSecret(...values: readonly (string | undefined)[]): void {
	for (const value of values.map((text) => text?.trim() ?? '')) {
		if (value.length < minSecretLength) continue;
		secrets.delete(value);
		secrets.add(value);
	}
	for (const oldest of secrets) {
		if (secrets.size <= maxSecrets) break;
		secrets.delete(oldest);
	}
}

/** The same for the password in a URL, both percent-encoded and decoded. */
export function keepUrlSecrets(url: string): void {
	const [, password = ''] = /^[^/]*\/\/[^/:@]*:(.*)@/.exec(url) ?? [];
	keepSecret(password);
	try {
		keepSecret(decodeURIComponent(password));
	} catch {
		// Not percent-encoded.
	}
}

/** Text that is recognised as a secret by its form. */
const forms: readonly (readonly [form: RegExp, replacement: string])[] = [
	[/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, removed],
	// PEM in base64, and a line of a key's body.
	[/\bLS0tLS1CRUdJTi[\w+/=]+/g, removed],
	[/^[\w+/]{60,}={0,2}$/gm, removed],
	[/\b((?:proxy-)?authorization["']?\s*[:=]\s*["']?)[^\n"']+/gi, `$1${removed}`],
	[/\b((?:set-)?cookie["']?\s*[:=]\s*["']?)[^\n"']+/gi, `$1${removed}`],
	[
		/\b(bearer|basic)\s+(?!(?:auth\w*|tokens?|credentials?|is|was|are|and|or|not|in|of|for)\b)[\w.~+/=-]+/gi,
		`$1 ${removed}`,
	],
	[/(?<![\w-])eyJ[\w-]{5,4000}\.[\w-]{2,}\.[\w-]*/g, removed],
	[/\bsha256~[\w-]+/g, removed],
	[/\b(?:k8s-aws-v1|ya29)\.[\w.-]+/g, removed],
	[/\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-)[\w-]+/g, removed],
	// User and password of a URL, also if the password contains a slash or an @, or the scheme is missing.
	[/\b([a-z][a-z\d+.-]{0,20}:\/\/)[^\s/?#"'`<>]{0,400}@/gi, `$1${removed}@`],
	[/\b([a-z][a-z\d+.-]{0,20}:\/\/)[^\s/:@"'`<>]{1,200}:(?!\d+\/)[^\s"'`<>]{0,400}@/gi, `$1${removed}@`],
	[/(^|[\s"'(=])[\w.%+-]{1,60}:(?!\/\/)[^\s@/"'`<>]{1,400}@(?!sha\d)(?=[\w[])/g, `$1${removed}@`],
];

/** A flag, field or query parameter whose name suggests a secret (but not a file that holds one), and its value. */
const named =
	/([\w.-]{0,40}(?:token|passw(?:or)?d|passphrase|secret|credential|api-?_?key|private-?_?key|client-?key-?data)(?![\w-]{0,40}(?:file|path|dir)\b)[\w-]{0,40})(["']?\s*[=:]\s*|\s+)("[^"\n]*"|'[^'\n]*'|[^\s"',;&)\]}]+)/gi;

function withoutNamed(match: string, name: string, separator: string, value: string): string {
	// Already redacted.
	if (value.startsWith('[removed')) return match;
	const quote = /^["']/.exec(value)?.[0] ?? '';
	const isPassword = /passw|passphrase/i.test(name);
	// In `token: expired`, the word after the colon is prose.
	const isOdd = /[\dA-Z]/.test(value) || value.length >= 16;
	const isPlain = /^(?:\d+(?:\.\d+)?[a-z%]{0,2}|true|false|null|none|nil)$/.test(value);
	const isAssigned = /[=]|["'].*:/.test(separator) || (quote !== '' && separator.includes(':'));
	const isSecret =
		separator.trim() === '' ? name.startsWith('--') && isOdd : isAssigned || isPassword || isOdd;
	return isSecret && (isPassword || !isPlain) ? `${name}${separator}${quote}${removed}${quote}` : match;
}

/**
 * Removes remembered credentials and everything that looks like one. Every failure passes here before it is printed, logged,
 * recorded or served: in the constructor of `UserError`, in `messageOf`, and in `writeMessage`.
 */
export function redact(text: string): string {
	let clean = text;
	for (const secret of secrets) if (clean.includes(secret)) clean = clean.replaceAll(secret, removed);
	for (const [form, replacement] of forms) clean = clean.replace(form, replacement);
	return clean.replace(named, withoutNamed);
}
