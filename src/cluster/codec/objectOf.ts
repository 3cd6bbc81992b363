import {entriesOf, fieldsOf, isObject, numberOf, textOf} from './rawJson.ts';

/** Reads a value of any kind, which may not be what it should. */
type Reader<T> = (value: unknown) => T;

/** How each field of an object is read. All are named, those that may be absent too: none is forgotten. */
export type Readers<T> = {
	readonly [Name in keyof T]-?: Reader<T[Name] | (undefined extends T[Name] ? undefined : never)>;
};

/** Reads an object field by field; one that is read as undefined is absent. Of what is no object, all is read of nothing. */
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

/** Reads each entry of an array. */
export const listOf =
	<T>(read: Reader<T>): Reader<readonly T[]> =>
	(value) =>
		entriesOf(value).map(read);

/** Reads what may be absent. */
export const optional =
	<T>(read: Reader<T>): Reader<T | undefined> =>
	(value) =>
		value === undefined ? undefined : read(value);

/** Reads what is there only if it is an object. */
export const ifObject =
	<T>(read: Reader<T>): Reader<T | undefined> =>
	(value) =>
		isObject(value) ? read(value) : undefined;

/** Reads a number; nothing else counts. */
export const countOf = (value: unknown): number => numberOf(value) ?? 0;

export const textsOf: Reader<readonly string[]> = listOf(textOf);

export const isTrue = (value: unknown): boolean => value === true;
