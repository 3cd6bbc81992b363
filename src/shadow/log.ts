import type {Instant} from '../core/time/instant.ts';
import {formatTimestamp} from '../dates/utc.ts';
import {escapeForTerminal, escapeInsideQuotes} from '../text/escape.ts';
import {redact} from '../text/redact.ts';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];
export const logFormats = ['json', 'text'] as const;
export type LogFormat = (typeof logFormats)[number];

type LogFields = Readonly<Record<string, unknown>>;

/** A log with one line per entry: the message is constant per kind of entry, variable parts are fields. */
export type Log = Readonly<Record<LogLevel, (message: string, fields?: LogFields) => void>>;

type LogOptions = Readonly<{
	format: LogFormat;
	/** Entries below this level are dropped. */
	level: LogLevel;
	now: () => Instant;
	write: (line: string) => void;
}>;

/** A log in JSON, one object a line, or in text. Secrets are removed. */
export function createLog({format, level, now, write}: LogOptions): Log {
	const lowest = logLevels.indexOf(level);
	const lineOf = format === 'json' ? jsonLine : textLine;
	const writer =
		(own: LogLevel) =>
		(message: string, fields: LogFields = {}) => {
			if (logLevels.indexOf(own) < lowest) return;
			const clean: LogFields = JSON.parse(JSON.stringify(fields, withoutSecrets));
			write(`${lineOf(formatTimestamp(now()), own, message, clean)}\n`);
		};
	return {debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error')};
}

/** Its own fields come first, and win. */
const jsonLine = (time: string, level: LogLevel, message: string, fields: LogFields): string => {
	const own = {time, level, message};
	return escapeInsideQuotes(JSON.stringify({...own, ...fields, ...own}));
};

function textLine(time: string, level: LogLevel, message: string, fields: LogFields): string {
	const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
	return escapeForTerminal(`${time} ${level.toUpperCase().padEnd(5)} ${message}${pairs.join('')}`).replaceAll(
		'\n',
		'\\n',
	);
}

const secretNames = /token|password|passwd|secret|authorization|cookie|credential|apikey|api-key|private/i;
const removed = '[removed]';

/** Removes secrets from a field: the values of secret names, credentials and queries in URLs, and bearer tokens. */
function withoutSecrets(name: string, value: unknown): unknown {
	if (secretNames.test(name)) return removed;
	const text = value instanceof Error ? value.message : value;
	return typeof text === 'string' ? withoutSecretsInText(text) : text;
}

const withoutSecretsInText = (text: string): string =>
	// A URL's query may contain a token.
	redact(text).replaceAll(/\b([a-z][a-z\d+.-]*:\/\/[^\s?#"]*)[?#][^\s"]*/gi, `$1?${removed}`);
