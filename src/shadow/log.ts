import type {Instant} from '../core/time/instant.ts';
import {formatTimestamp} from '../dates/utc.ts';
import {escapeForTerminal, escapeInsideQuotes} from '../text/escape.ts';
import {redact} from '../text/redact.ts';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];
export const logFormats = ['json', 'text'] as const;
export type LogFormat = (typeof logFormats)[number];

/** What belongs to a line, by name. */
type LogFields = Readonly<Record<string, unknown>>;

/** Says what happens, one line each: the message is the same for the same thing, what differs stands in fields. */
export type Log = Readonly<Record<LogLevel, (message: string, fields?: LogFields) => void>>;

type LogOptions = {
	readonly format: LogFormat;
	/** Below it nothing is written. */
	readonly level: LogLevel;
	readonly now: () => Instant;
	readonly write: (line: string) => void;
};

/** A log that writes JSON, one object a line, or text that people read. Secrets are taken out of either. */
export function createLog({format, level, now, write}: LogOptions): Log {
	const lowest = logLevels.indexOf(level);
	const lineOf = format === 'json' ? jsonLine : textLine;
	const writer =
		(own: LogLevel) =>
		(message: string, fields: LogFields = {}) => {
			if (logLevels.indexOf(own) < lowest) return;
			write(`${lineOf(formatTimestamp(now()), own, message, fields)}\n`);
		};
	return {debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error')};
}

const jsonLine = (time: string, level: LogLevel, message: string, fields: LogFields): string =>
	escapeInsideQuotes(
		JSON.stringify({...{time, level, message}, ...fields, ...{time, level, message}}, withoutSecrets),
	);

function textLine(time: string, level: LogLevel, message: string, fields: LogFields): string {
	const pairs = Object.entries(fields).map(
		([name, value]) => ` ${name}=${JSON.stringify(withoutSecrets(name, value), withoutSecrets)}`,
	);
	return escapeForTerminal(`${time} ${level.toUpperCase().padEnd(5)} ${message}${pairs.join('')}`).replaceAll(
		'\n',
		'\\n',
	);
}

/** What a field says without what nobody may read: by its form, or by the name of the field. */
function withoutSecrets(name: string, value: unknown): unknown {
	const text = value instanceof Error ? value.message : value;
	if (typeof text !== 'string') return value;
	const clean = redact(`${name}=${redact(text)}`).slice(name.length + 1);
	// The query of a URL may hold a token.
	return clean.replaceAll(/\b([a-z][a-z\d+.-]*:\/\/[^\s?#"]*)[?#][^\s"]*/gi, '$1?[removed]');
}
