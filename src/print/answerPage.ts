import type {Instant} from '../core/time/instant.ts';
import {inTimeZone, timeAlone} from '../dates/format.ts';
import {type TimeZone, timeZoneWords, utc} from '../dates/timeZone.ts';
import {type Connection, pasted, usualConnection} from '../text/pasted.ts';

/** The assumed width of an unknown terminal. */
export const textWidth = 80;

const labelWidth = 15;
const margin = ' '.repeat(labelWidth);

/** How an answer is written. */
export type AnswerOptions = {
	/** The time zone of times; UTC if absent. */
	readonly timeZone?: TimeZone;
	/** The cluster that commands are for. */
	readonly connection?: Connection | undefined;
	/** The width of sentences; if absent, that of an unknown terminal. */
	readonly textWidth?: number | undefined;
};

/** Writes the sentences and commands of an answer as of an instant. */
export class AnswerPage {
	readonly now: Instant;
	readonly #zone: TimeZone;
	readonly #connection: Connection;
	readonly #width: number;

	constructor(now: Instant, options: AnswerOptions = {}) {
		this.now = now;
		this.#zone = options.timeZone ?? utc;
		this.#connection = options.connection ?? usualConnection;
		this.#width = options.textWidth ?? textWidth;
	}

	/** The time of the answer, and the zone of its times. */
	get seen(): string {
		const {now} = this;
		return `Seen at ${timeAlone(now, now, this.#zone)}; all times are ${timeZoneWords(now, this.#zone)}.`;
	}

	/** The first line of every answer that simulates changes: the time, and that nothing was changed. */
	get simulated(): string {
		return `${this.seen} Dry run: nothing was changed.\n`;
	}

	/** A text whose times are of the zone. */
	told(text: string): string {
		return inTimeZone(text, this.now, this.#zone);
	}

	/**
	 * A paragraph, wrapped at its spaces; the first line starts with `indent`, the others with `indent` and `hang`. A word that
	 * is too long is not broken.
	 */
	wrap(text: string, indent = '', hang = ''): string {
		const lines: string[] = [];
		let line = '';
		for (const word of this.told(text).split(' ')) {
			const start = lines.length === 0 ? indent : indent + hang;
			const longer = line === '' ? start + word : `${line} ${word}`;
			if (line !== '' && [...longer].length > this.#width) {
				lines.push(line);
				line = indent + hang + word;
			} else {
				line = longer;
			}
		}
		return `${[...lines, line].join('\n')}\n`;
	}

	/** An item of a list. */
	item(text: string, sign = '*'): string {
		return this.wrap(`${sign} ${text}`, '  ', '  ');
	}

	/** A title with its text beside it, at the same margin for all titles; each line of the text is wrapped separately. */
	labelled(title: string, ...lines: readonly string[]): string {
		return lines
			.map((line) => this.wrap(line, margin))
			.join('')
			.replace(margin, `${title}:`.padEnd(labelWidth));
	}

	/** A command for the cluster. */
	pasted(command: string): string {
		return pasted(command, this.#connection);
	}

	/** The same on a line of its own. */
	command(command: string, indent = '  '): string {
		return `${indent}${this.pasted(command)}\n`;
	}
}
