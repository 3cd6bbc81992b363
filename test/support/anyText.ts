import * as fc from 'fast-check';

// Our own unit: fast-check's unit of all characters first builds a table of them, which takes seconds.
const character = fc.integer({min: 0, max: 0x10ffff}).map((code) => String.fromCodePoint(code));

/** Arbitrary text, including unpaired surrogates. */
export const anyText = (maxLength: number): fc.Arbitrary<string> => fc.string({unit: character, maxLength});
