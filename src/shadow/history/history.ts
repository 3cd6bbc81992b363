import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import type {Instant} from '../../core/time/instant.ts';
import {messageOf, UserError} from '../../text/userError.ts';
import type {Divergence} from '../compare/divergence.ts';
import {LineFile} from './lineFile.ts';

/** The file grows to this before it is written anew with what is still of use. */
const mostBytes = 8 * 2 ** 20;
/** So many divergences, and words about them, are of use: the newest. */
const mostKept = 5000;

type Entry =
	| {readonly type: 'divergence'; readonly divergence: Divergence}
	| {readonly type: 'told'; readonly key: string; readonly state: string; readonly at: Instant};

export type HistoryLimits = {readonly bytes: number; readonly kept: number};

/**
 * What must outlive this process: the divergences, and what was told of them to whom. It is a help, not the truth: where
 * it cannot be written any more that is said once, and everything else goes on.
 */
export class History {
	readonly #file: LineFile;
	readonly #limits: HistoryLimits;
	readonly #onFailure: (error: unknown) => void;
	readonly #divergences = new Map<string, Divergence>();
	readonly #told = new Map<string, {readonly state: string; readonly at: Instant}>();
	/** What is known and not on disk yet. */
	#unwritten: string[] = [];
	#hasFailed = false;

	private constructor(file: LineFile, limits: HistoryLimits, onFailure: (error: unknown) => void) {
		this.#file = file;
		this.#limits = limits;
		this.#onFailure = onFailure;
	}

	/**
	 * Reads the history of a folder, which one process at a time may use; makes the folder where there is none.
	 *
	 * @param onFailure is told once where it can be written no more
	 * @throws UserError where it cannot be read or written.
	 */
	static open(
		folder: string,
		onFailure: (error: unknown) => void,
		limits: HistoryLimits = {bytes: mostBytes, kept: mostKept},
	): History {
		try {
			mkdirSync(folder, {recursive: true, mode: 0o700});
			const {file, lines} = LineFile.open(join(folder, 'history.jsonl'));
			const history = new History(file, limits, onFailure);
			for (const line of lines) history.#take(entryOf(line));
			return history;
		} catch (error) {
			throw new UserError(
				`the history in ${folder} cannot be used: ${messageOf(error)}`,
				'give --history a folder that this process may write, or leave it out',
			);
		}
	}

	/** Divergences as they were last, the oldest first. */
	get divergences(): Iterable<Divergence> {
		return this.#divergences.values();
	}

	/** The keys under which anything was told. */
	get toldKeys(): Iterable<string> {
		return this.#told.keys();
	}

	/** What was last told under a key; undefined where nothing was. */
	told(key: string): string | undefined {
		return this.#told.get(key)?.state;
	}

	/** Keeps a divergence; with all others of the same moment it is on disk before anything else happens. */
	readonly record = (divergence: Divergence): void => {
		// Of a zone that dies there come thousands at once, and the disk is waited for each time.
		if (this.#unwritten.length === 0) queueMicrotask(() => this.#write());
		this.#add({type: 'divergence', divergence});
	};

	/** Keeps what was told, by key; it is on disk when this returns. */
	recordTold(all: readonly (readonly [key: string, state: string])[], at: Instant): void {
		for (const [key, state] of all) this.#add({type: 'told', key, state, at});
		this.#write();
	}

	close(): void {
		this.#write();
		this.#file.close();
	}

	#add(entry: Entry): void {
		this.#take(entry);
		if (!this.#hasFailed) this.#unwritten.push(lineOf(entry));
	}

	#write(): void {
		const lines = this.#unwritten;
		this.#unwritten = [];
		if (this.#hasFailed || lines.length === 0) return;
		try {
			if (this.#file.size > this.#limits.bytes) this.#file.replace([...this.#entries()].map(lineOf));
			else this.#file.append(lines);
		} catch (error) {
			this.#hasFailed = true;
			this.#onFailure(error);
		}
	}

	#take(entry: Entry | undefined): void {
		if (entry?.type === 'divergence')
			setNewest(this.#divergences, entry.divergence.id, entry.divergence, this.#limits);
		if (entry?.type === 'told')
			setNewest(this.#told, entry.key, {state: entry.state, at: entry.at}, this.#limits);
	}

	*#entries(): Generator<Entry> {
		for (const divergence of this.#divergences.values()) yield {type: 'divergence', divergence};
		for (const [key, {state, at}] of this.#told) yield {type: 'told', key, state, at};
	}
}

/** Sets an entry as the newest, and lets go of the oldest where there are too many. */
function setNewest<Value>(map: Map<string, Value>, key: string, value: Value, {kept}: HistoryLimits): void {
	map.delete(key);
	map.set(key, value);
	const [oldest] = map.keys();
	if (map.size > kept && oldest !== undefined) map.delete(oldest);
}

const lineOf = (entry: Entry): string => JSON.stringify(entry);

/** An entry as a line has it; undefined where the line is none, as a disk may have damaged it. */
function entryOf(line: string): Entry | undefined {
	try {
		const entry = JSON.parse(line) as Partial<Record<string, unknown>>;
		const {type, key, state, at, divergence} = entry;
		const isEntry =
			type === 'told'
				? typeof key === 'string' && typeof state === 'string' && typeof at === 'number'
				: type === 'divergence' && isDivergence(divergence);
		return isEntry ? (entry as Entry) : undefined;
	} catch {
		return undefined;
	}
}

/** Whether it has all that is told of a divergence: what is not there would fail only once it is told of. */
function isDivergence(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	const {id, kind, action, object, zone, because, isAlarm, noticedAt, endedAt} = value as Partial<Divergence>;
	return (
		[id, kind, action, zone, object?.kind, object?.name].every((text) => typeof text === 'string') &&
		Array.isArray(because) &&
		typeof isAlarm === 'boolean' &&
		isInstant(noticedAt) &&
		(endedAt === null || isInstant(endedAt))
	);
}

// What a date cannot show is none, and would fail once it is told of, too.
const isInstant = (value: unknown): boolean =>
	typeof value === 'number' && !Number.isNaN(new Date(value).getTime());
