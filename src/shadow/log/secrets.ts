import {redact} from '../../text/redact.ts';

const secretNames = /token|password|passwd|secret|authorization|cookie|credential|apikey|api-key|private/i;
const removed = '[removed]';

/**
 * A value without what nobody may read: fields whose names say that they are secret, credentials and queries of URLs, and
 * bearer tokens, wherever they stand in it.
 */
export function withoutSecrets(value: unknown): unknown {
	if (typeof value === 'string') return withoutSecretsInText(value);
	if (value instanceof Error) return withoutSecretsInText(value.message);
	if (Array.isArray(value)) return value.map(withoutSecrets);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, inner]) => [
			name,
			secretNames.test(name) ? removed : withoutSecrets(inner),
		]),
	);
}

const withoutSecretsInText = (text: string): string =>
	// The query of a URL may hold a token.
	redact(text).replaceAll(/\b([a-z][a-z\d+.-]*:\/\/[^\s?#"]*)[?#][^\s"]*/gi, `$1?${removed}`);
