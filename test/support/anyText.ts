import * as fc from 'fast-check';

// A unit of our own: for its own units of all characters, fast-check first makes a table of each of them, for seconds.
const character = fc.integer({min: 0, max: 0x10ffff}).map((code) => String.fromCodePoint(code));

/** Text of any characters, also halves of pairs. */
export const anyText = (maxLength: number): fc.Arbitrary<string> => fc.string({unit: character, maxLength});
