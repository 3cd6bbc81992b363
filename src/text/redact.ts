const removed = '[removed]';

/** So many values are remembered; credentials that are renewed replace the oldest. */
const mostKept = 200;
/** A shorter one stands in too many words. */
const shortestKept = 6;
const kept = new Set<string>();

/** Remembers credentials as they are read: no message shows them from then on, wherever they turn up in one. */
export function keepSecret(...values: readonly (string | undefined)[]): void {
	for (const value of values.map((text) => text?.trim() ?? '')) {
		if (value.length < shortestKept) continue;
		kept.delete(value);
		kept.add(value);
	}
	for (const oldest of kept) {
		if (kept.size <= mostKept) break;
		kept.delete(oldest);
	}
}

/** The same of the password in a URL, as it stands there and as it is meant. */
export function keepUrlSecrets(url: string): void {
	const [, password = ''] = /^[^/]*\/\/[^/:@]*:(.*)@/.exec(url) ?? [];
	keepSecret(password);
	try {
		keepSecret(decodeURIComponent(password));
	} catch {
		// It is meant as it stands.
	}
}

/** What is a secret by its form, wherever it stands. */
const forms: readonly (readonly [form: RegExp, replacement: string])[] = [
	[/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, removed],
	// PEM in base64, and a line of what a key consists of.
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
	// The user and password of a URL, also where the password has a slash or an @ in it, and without a scheme.
	[/\b([a-z][a-z\d+.-]{0,20}:\/\/)[^\s/?#"'`<>]{0,400}@/gi, `$1${removed}@`],
	[/\b([a-z][a-z\d+.-]{0,20}:\/\/)[^\s/:@"'`<>]{1,200}:(?!\d+\/)[^\s"'`<>]{0,400}@/gi, `$1${removed}@`],
	[/(^|[\s"'(=])[\w.%+-]{1,60}:(?!\/\/)[^\s@/"'`<>]{1,400}@(?!sha\d)(?=[\w[])/g, `$1${removed}@`],
];

/** A flag, a field or a part of a query that is named as secrets are, but not one that names a file of it; and its value. */
const named =
	/([\w.-]{0,40}(?:token|passw(?:or)?d|passphrase|secret|credential|api-?_?key|private-?_?key|client-?key-?data)(?![\w-]{0,40}(?:file|path|dir)\b)[\w-]{0,40})(["']?\s*[=:]\s*|\s+)("[^"\n]*"|'[^'\n]*'|[^\s"',;&)\]}]+)/gi;

function withoutNamed(match: string, name: string, separator: string, value: string): string {
	// What was taken out already stays as it is.
	if (value.startsWith('[removed')) return match;
	const quote = /^["']/.exec(value)?.[0] ?? '';
	const isPassword = /passw|passphrase/i.test(name);
	// As in `token: expired`, a word may only go on with a sentence.
	const isOdd = /[\dA-Z]/.test(value) || value.length >= 16;
	const isPlain = /^(?:\d+(?:\.\d+)?[a-z%]{0,2}|true|false|null|none|nil)$/.test(value);
	const isAssigned = /[=]|["'].*:/.test(separator) || (quote !== '' && separator.includes(':'));
	const isSecret =
		separator.trim() === '' ? name.startsWith('--') && isOdd : isAssigned || isPassword || isOdd;
	return isSecret && (isPassword || !isPlain) ? `${name}${separator}${quote}${removed}${quote}` : match;
}

/**
 * Text without what nobody may read: credentials that were kept, and all that looks like one. Every failure passes here before it
 * is printed, logged, recorded or served: in the constructor of `UserError`, in `messageOf`, and in `writeMessage`.
 */
export function redact(text: string): string {
	let clean = text;
	for (const secret of kept) if (clean.includes(secret)) clean = clean.replaceAll(secret, removed);
	for (const [form, replacement] of forms) clean = clean.replace(form, replacement);
	return clean.replace(named, withoutNamed);
}
