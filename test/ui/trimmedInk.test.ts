import {registerHooks} from 'node:module';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {trimmedModule} from '../../scripts/trimmedDependencies.ts';
import {loadTrimmed} from '../support/trimmedModules.ts';

type Clip = {readonly x1: number; readonly x2: number; readonly y1: undefined; readonly y2: undefined};
/** ink's object that draws one frame. */
type Output = {
	write(x: number, y: number, text: string, options: {readonly transformers: readonly []}): void;
	clip(clip: Clip): void;
	unclip(): void;
	get(): {readonly output: string};
};
type OutputClass = {
	new (size: {readonly width: number; readonly height: number}): Output;
	/** The cache that the trimmed one keeps between frames. */
	readonly caches?: {readonly styledChars: ReadonlyMap<string, unknown>};
};

type Letter = object;
/** Joins the letters of a row again, with their colour codes. */
type Letters = {
	readonly styledCharsFromTokens: (tokens: unknown) => readonly Letter[];
	readonly styledCharsToString: (letters: readonly Letter[]) => string;
};
type Sanitize = {readonly default: (text: string) => string};
/** Texts with their breaks, which ink keeps. */
type WrapText = {
	readonly default: (text: string, width: number, how: 'wrap') => string;
	readonly wrapTextCache: ReadonlyMap<string, string>;
};
type LineUpdate = {readonly default: (before: string, next: string, columns: number) => string};

const path = import.meta.resolve('ink').replace(/index\.js$/, 'output.js');
const sanitizePath = path.replace(/output\.js$/, 'sanitize-ansi.js');
const wrapPath = path.replace(/output\.js$/, 'wrap-text.js');
const updatePath = path.replace(/output\.js$/, 'line-update.js');
const tokenizePath = new URL('../../@alcalzone/ansi-tokenize/build/index.js', path).href;
const lettersPath = tokenizePath.replace(/index\.js$/, 'styledChars.js');
const hooks = registerHooks({
	load: (url, context, next) => (url.endsWith('?trimmed') ? loadTrimmed : next)(url, context, next),
});
const [{default: Own}, {default: Trimmed}] = (await Promise.all([
	import(path),
	import(`${path}?trimmed`),
])) as [{default: OutputClass}, {default: OutputClass}];
const [{default: ownSanitize}, {default: trimmedSanitize}] = (await Promise.all([
	import(sanitizePath),
	import(`${sanitizePath}?trimmed`),
])) as [Sanitize, Sanitize];
const [{default: ownUpdate}, {default: trimmedUpdate}] = (await Promise.all([
	import(updatePath),
	import(`${updatePath}?trimmed`),
])) as [LineUpdate, LineUpdate];
const [{tokenize}, ownLetters, trimmedLetters] = (await Promise.all([
	import(tokenizePath),
	import(lettersPath),
	import(`${lettersPath}?trimmed`),
])) as [{readonly tokenize: (text: string) => unknown}, Letters, Letters];
const trimmedWrap = (await import(`${wrapPath}?trimmed`)) as WrapText;
hooks.deregister();

const size = {width: 30, height: 6};

/** Only a few texts, so that frames share them; some are wide, and some change their colour in the middle. */
const text = fc
	.array(
		fc.constantFrom(
			'eu/b ',
			'\x1b[1m\x1b[91m0:04\x1b[39m',
			'\x1b[44m▸',
			'\x1b[22m',
			'漢字',
			'👩‍💻',
			'e\u0301',
			' ',
			'\n',
		),
		{minLength: 1, maxLength: 6},
	)
	.map((parts) => parts.join(''));
type Write = {readonly x: number; readonly y: number; readonly text: string; readonly isClipped: boolean};
const write: fc.Arbitrary<Write> = fc.record({
	...{x: fc.integer({min: 0, max: 25}), y: fc.integer({min: 0, max: 7}), text},
	isClipped: fc.boolean(),
});

function drawn(Kind: OutputClass, writes: readonly Write[]): string {
	const output = new Kind(size);
	for (const {x, y, text: one, isClipped} of writes) {
		if (isClipped) output.clip({x1: 3, x2: 12, y1: undefined, y2: undefined});
		output.write(x, y, one, {transformers: []});
		if (isClipped) output.unclip();
	}
	return output.get().output;
}

test('ink draws with what it knows of the frames before as it draws without', () => {
	const frames = fc.array(fc.array(write, {maxLength: 12}), {minLength: 2, maxLength: 8});
	fc.assert(
		fc.property(frames, (all) => {
			for (const writes of all) expect(drawn(Trimmed, writes)).toBe(drawn(Own, writes));
		}),
	);
});

test('ink reads the codes of a row as without what it knows of them', () => {
	const withControls = fc.array(fc.constantFrom('a', '\x1b[2J', '\x07', '\x1b[38:5:9m', '\x1b[1m'), {
		maxLength: 4,
	});
	fc.assert(
		fc.property(text, withControls, (one, others) => {
			const all = `${one}${others.join('')}`;
			for (const _ of [1, 2]) expect(trimmedSanitize(all)).toBe(ownSanitize(all));
		}),
	);
});

test('ink changes colours between letters as without what it knows of them', () => {
	fc.assert(
		fc.property(text, (one) => {
			const letters = ownLetters.styledCharsFromTokens(tokenize(one));
			for (const _ of [1, 2])
				expect(trimmedLetters.styledCharsToString(letters)).toBe(ownLetters.styledCharsToString(letters));
		}),
	);
});

test('ink writes the end of a changed row with the screen’s signs as it does letter by letter', () => {
	const part = fc.oneof(
		text,
		fc.constantFrom(...' ab·×–…←↑→↓─│█▒░▁▂▃▄▅▆▇■●○◐▸✓', '‖', '⏎', '\ufe0f', '\u0301'),
	);
	const row = fc.array(part, {maxLength: 8}).map((parts) => parts.join(''));
	fc.assert(
		fc.property(row, row, row, fc.integer({min: 1, max: 40}), (same, before, next, columns) => {
			const rows = [`${same}${before}`, `${same}${next}`, columns] as const;
			expect(trimmedUpdate(...rows)).toBe(ownUpdate(...rows));
		}),
		{numRuns: 1000},
	);
});

test('of rows that change with each frame it keeps some hundreds', () => {
	for (let frame = 0; frame < 1000; frame += 1) {
		const writes = [0, 1, 2].map((y) => ({x: 0, y, text: `${frame} ${y}`, isClipped: false}));
		expect(drawn(Trimmed, writes)).toBe(`${frame} 0\n${frame} 1\n${frame} 2\n\n\n`);
	}
	expect(Trimmed.caches?.styledChars.size).toBeLessThan(310);
	expect(Own.caches).toBeUndefined();
});

test('equal letters of all rows are one object', () => {
	const [[a], [, b], [c]] = ['\x1b[1mab', '\x1b[1mba', 'a'].map((row) =>
		trimmedLetters.styledCharsFromTokens(tokenize(row)),
	) as [readonly Letter[], readonly Letter[], readonly Letter[]];
	expect(b).toBe(a);
	expect(c).not.toBe(a);
});

test('of texts that change with each frame it keeps the breaks of some hundreds', () => {
	for (let frame = 0; frame < 1000; frame += 1) trimmedWrap.default(`frame ${frame}`, 5, 'wrap');
	expect(trimmedWrap.wrapTextCache.size).toBeLessThan(410);
});

test('a build with another ink fails', () => {
	expect(() => trimmedModule('class Output {}', '/any/ink/build/output.js')).toThrow(
		'does not hold caches =',
	);
});
