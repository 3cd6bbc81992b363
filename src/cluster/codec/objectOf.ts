import {entriesOf, fieldsOf, isObject, numberOf, textOf} from './rawJson.ts';

type Reader<T> = (value: unknown) => T;

/** A reader for each field. Optional fields are required here too, so that none is forgotten. */
export type Readers<T> = {
	readonly [Name in keyof T]-?: Reader<T[Name] | (undefined extends T[Name] ? undefined : never)>;
};

/** Decodes an object field by field; a field that is read as undefined is left out. A value that is no object counts as empty. */
export const objectOf = <T extends object>(readers: Readers<T>): Reader<T> => {
	const each = Object.entries(readers) as [keyof T, Reader<T[keyof T]>][];
	return (value) => {
		const raw = fieldsOf<T>(value);
		const object: Partial<T> = {};
		for (const [name, read] of each) {
			const found = read(raw[name]);
			if (found !== undefined) object[name] = found;
		}
		return object as T;
	};
};

export const listOf =
	<T>(read: Reader<T>): Reader<readonly T[]> =>
	(value) =>
		entriesOf(value).map(read);

export const optional =
	<T>(read: Reader<T>): Reader<T | undefined> =>
	(value) =>
		value === undefined ? undefined : read(value);

/** Decodes a value if it is an object; else undefined. */
export const ifObject =
	<T>(read: Reader<T>): Reader<T | undefined> =>
	(value) =>
		isObject(value) ? read(value) : undefined;

export const countOf = (value: unknown): number => numberOf(value) ?? 0;

export const textsOf: Reader<readonly string[]> = listOf(textOf);

export const isTrue = (value: unknown) => value === true;
