const removed = '[removed]';

/** Maximum number of remembered secrets; renewed credentials replace the oldest. */
const maxSecrets = 200;
/** Shorter secrets would match inside ordinary words. */
const minSecretLength = 6;
const secrets = new Set<string>();

/** Remembers credentials as they are read; `redact` removes them from all later messages. */
export function keepSecret(...values: readonly (string | undefined)[]) {
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
export function keepUrlSecrets(url: string) {
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

const keyword =
	'(?:token|passw(?:or)?d|passphrase|secret|credential|api-?_?key|private-?_?key|client-?key-?data)';
/** Whole words with a keyword, from their first letter on, so that each is looked at once, however often the keyword is in it. */
const suspicious = new RegExp(`(?<![\\w.-])(?=[\\w.-]*?${keyword})[\\w.-]+`, 'gi');
const untilLastKeyword = new RegExp(`^.*${keyword}`, 'i');
const assigned = /(["']?\s*[=:]\s*|\s+)("[^"\n]*"|'[^'\n]*'|[^\s"',;&)\]}]+)/y;

/** Removes the values of flags, fields and query parameters whose names suggest a secret (but not a file that holds one). */
function withoutNamed(text: string): string {
	let clean = '';
	let end = 0;
	for (const {0: name, index} of text.matchAll(suspicious)) {
		const rest = name.replace(untilLastKeyword, '');
		if (index < end || rest.includes('.') || /(?:file|path|dir)\b/i.test(rest)) continue;
		assigned.lastIndex = index + name.length;
		const [whole, separator = '', value = ''] = assigned.exec(text) ?? [];
		if (whole === undefined || !isSecret(name, separator, value)) continue;
		const quote = /^["']/.exec(value)?.[0] ?? '';
		clean += `${text.slice(end, index)}${name}${separator}${quote}${removed}${quote}`;
		end = assigned.lastIndex;
	}
	return clean + text.slice(end);
}

function isSecret(name: string, separator: string, value: string) {
	// Already redacted.
	if (value.startsWith('[removed')) return false;
	const isPassword = /passw|passphrase/i.test(name);
	// In `token: expired`, the word after the colon is prose.
	const isOdd = /[\dA-Z]/.test(value) || value.length >= 16;
	const isPlain = /^(?:\d+(?:\.\d+)?[a-z%]{0,2}|true|false|null|none|nil)$/.test(value);
	const isAssigned = /[=]|["'].*:/.test(separator) || (/^["']/.test(value) && separator.includes(':'));
	const isGiven =
		separator.trim() === '' ? name.startsWith('--') && isOdd : isAssigned || isPassword || isOdd;
	return isGiven && (isPassword || !isPlain);
}

/**
 * Removes remembered credentials and everything that looks like one. Every failure passes here before it is printed, logged,
 * recorded or served: in the constructor of `UserError`, in `messageOf`, and in `writeMessage`.
 */
export function redact(text: string): string {
	let clean = text;
	for (const secret of secrets) if (clean.includes(secret)) clean = clean.replaceAll(secret, removed);
	for (const [form, replacement] of forms) clean = clean.replace(form, replacement);
	return withoutNamed(clean);
}

/**
 * The beginning of text from outside, redacted. A secret that is cut is not found any more, so the whole is redacted first.
 *
 * @param most the most characters of it
 */
export const redactedHead = (text: string, most: number): string => redact(text).slice(0, most);

/** A URL or a date, or a word that may be a secret whose form nobody knows: long, and with a digit or very long. */
const opaque =
	/\w+:\/\/\S+|\b\d{4}-\d\d-\d\dT[\d:]+|(?<![\w~+./-])(?:(?=[\w~+./-]*\d)[\w~+./-]{11,}|[\w~+./-]{19,})[\w~+/-]/g;
const urlOrDate = /^(?:\w+:\/\/|\d{4}-\d\d-\d\dT)/;
/** The path of a file, or a host or an IP address with what it serves: no secret unless a part of it is as long. */
const place =
	/^(?!.*(?:[\w~+-]{20}|(?=[\w~+-]*\d)[\w~+-]{12}))(?:(?:~|\.{1,2})?\/|(?:[a-z\d-]+\.)+[a-z]{2,8}(?:\/|$)|(?:\d{1,3}\.){3}\d{1,3}(?:\/|$))/;

const mayBeSecret = (word: string) => !urlOrDate.test(word) && !place.test(word);

/** Every word that may turn out to be a credential. */
export const opaqueWords = (text: string): readonly string[] =>
	(text.match(opaque) ?? []).filter(mayBeSecret);

/** Removes them; codes to be typed, URLs to be opened and prompts stay. */
export const withoutOpaqueWords = (text: string): string =>
	text.replace(opaque, (word) => (mayBeSecret(word) ? removed : word));
