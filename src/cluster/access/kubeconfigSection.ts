import {dirname, resolve as resolvePath} from 'node:path';
import {shellWord} from '../../text/shellWord.ts';
import {UserError} from '../../text/userError.ts';
import {entriesOf, type Fields, fieldsOf} from '../codec/rawJson.ts';

/** Where a section stands, for errors. */
type Place = {readonly file: string; readonly where: string};

/** One entry of a kubeconfig, read as strictly as kubectl does: a token of digits without quotes is an error. */
export class KubeconfigSection {
	readonly #fields: Fields<Readonly<Record<string, unknown>>>;
	readonly #place: Place;

	constructor(value: unknown, place: Place) {
		this.#fields = fieldsOf(value);
		this.#place = place;
	}

	/** Whether the field is there and not null. */
	has(name: string): boolean {
		return (this.#fields[name] ?? undefined) !== undefined;
	}

	/** A text; empty where the field is absent. */
	text(name: string): string {
		return this.#textOf(this.#fields[name], name);
	}

	/** A path, made absolute by the folder of the file; empty where the field is absent. */
	path(name: string): string {
		return this.absolute(this.text(name));
	}

	/** A path as it stands in this file, made absolute. */
	absolute(path: string): string {
		return path === '' ? '' : resolvePath(dirname(this.#place.file), path);
	}

	/** A switch; off where the field is absent. */
	flag(name: string): boolean {
		const value = this.#fields[name] ?? false;
		if (typeof value === 'boolean') return value;
		throw this.#error(name, 'must be true or false, without quotes');
	}

	texts(name: string): readonly string[] {
		return entriesOf(this.#fields[name]).map((value) => this.#textOf(value, name));
	}

	section(name: string): KubeconfigSection {
		return new KubeconfigSection(this.#fields[name], this.#place);
	}

	sections(name: string): readonly KubeconfigSection[] {
		return entriesOf(this.#fields[name]).map((value) => new KubeconfigSection(value, this.#place));
	}

	/** The names of all fields, sorted: in Go a map has no order. */
	get names(): readonly string[] {
		return Object.keys(this.#fields).toSorted();
	}

	/** A field as it is, whatever that may be. */
	raw(name: string): unknown {
		return this.#fields[name];
	}

	#textOf(value: unknown, name: string): string {
		const text = value ?? '';
		if (typeof text === 'string') return text;
		throw this.#error(name, 'must be text: put it in quotes');
	}

	#error(name: string, what: string): UserError {
		const {file, where} = this.#place;
		return new UserError(
			`the kubeconfig ${file}: ${name} of ${where} ${what}`,
			`correct it; this shows what kubectl makes of it: kubectl config view --kubeconfig ${shellWord(file)}`,
		);
	}
}
