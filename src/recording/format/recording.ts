import {decodeTime, fieldsOf, parsedJson} from '../../cluster/codec/rawJson.ts';
import type {Problem} from '../../core/model/problem.ts';
import {formatTimestamp} from '../../dates/utc.ts';
import {UserError} from '../../text/userError.ts';
import {entryDecoder} from './decodeEntry.ts';
import {nameOf} from './dumpBytes.ts';
import {type RecordingEntry, type RecordingHeader, recordingFormat} from './entry.ts';
import {linesOfFile, type RecordingSource} from './recordingLines.ts';

/** A recording that can be read any number of times, without holding it in memory. */
export class Recording {
	readonly name: string;
	readonly header: RecordingHeader;
	readonly startedAt: number;
	readonly #source: RecordingSource;
	/** Whether it has no end, or ends within a line or within compressed data; and how many lines cannot be read. */
	#loss: {readonly isCut: boolean; readonly broken: number} | undefined;
	#flaw: Problem | undefined;

	constructor(source: RecordingSource, header: RecordingHeader, startedAt: number) {
		this.name = nameOf(source.name);
		this.header = header;
		this.startedAt = startedAt;
		this.#source = source;
	}

	/** Problems found so far; complete after it was read to its end. */
	get problems(): readonly Problem[] {
		const {isCut = false, broken = 0} = this.#loss ?? {};
		const lost = [
			isCut ? 'it was cut off, as when the recorder is killed: what came after its last line is lost' : '',
			broken > 0 ? `${broken} ${broken === 1 ? 'line' : 'lines'} could not be read` : '',
		].filter((text) => text !== '');
		const own = lost.length > 0 ? [{reason: 'RecordingIncomplete', message: lost.join('; ')}] : [];
		return [...own, ...(this.#flaw ? [this.#flaw] : [])];
	}

	/** The error for a reader that found nothing until then. */
	nothingSeen(until: number): UserError {
		return new UserError(
			`${this.name} has seen nothing yet at ${formatTimestamp(until)}`,
			this.#loss?.isCut
				? 'the recording ends early, as it was cut off: record again'
				: 'the recorder was stopped, or could not reach the cluster, before it read anything: record again',
		);
	}

	/** All entries after the header. @throws UserError if the file cannot be read */
	async *entries(): AsyncGenerator<RecordingEntry> {
		const decoder = entryDecoder();
		const end = {isCut: false};
		let hasEnd = false;
		const passOn = function* (entries: Iterable<RecordingEntry>): Generator<RecordingEntry> {
			for (const entry of entries) {
				hasEnd = entry.type === 'end';
				if (entry.type !== 'header') yield entry;
			}
		};
		for await (const lines of linesOfFile(this.#source, end)) {
			for (const line of lines) if (line !== '') yield* passOn(decoder.line(line));
		}
		yield* passOn(decoder.end());
		this.#loss = {isCut: !hasEnd || end.isCut, broken: decoder.broken};
		this.#flaw = decoder.problem;
	}
}

/** A recording in a format that this version cannot read. */
export class UnknownFormatError extends UserError {
	override readonly name = 'UnknownFormatError';
}

/**
 * Opens a recording; undefined if the file is none.
 *
 * @throws UserError if it cannot be read, or has a newer format
 */
export async function openRecording(source: RecordingSource): Promise<Recording | undefined> {
	const [first] = await firstLines(source);
	const raw = fieldsOf<{at: string; type: string; meta: unknown; object: unknown}>(parsedJson(first ?? ''));
	const at = decodeTime(raw.at);
	if (at === undefined || typeof raw.type !== 'string' || !('meta' in raw || 'object' in raw))
		return undefined;
	const [entry] = entryDecoder().line(first ?? '');
	const header =
		entry?.type === 'header' ? entry.header : {format: 1, program: '', title: '', isPartial: false};
	if (header.format > recordingFormat) {
		throw new UnknownFormatError(
			`${nameOf(source.name)} is a recording of format ${header.format}, written by evictwatch ${header.program}`,
			`this evictwatch reads format ${recordingFormat}: use a newer one`,
		);
	}
	return new Recording(source, header, at);
}

async function firstLines(source: RecordingSource): Promise<readonly string[]> {
	for await (const lines of linesOfFile(source, {isCut: false})) return lines;
	return [];
}
