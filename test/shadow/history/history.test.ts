import fs, {
	appendFileSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import {syncBuiltinESMExports} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import fc from 'fast-check';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {History, type HistoryLimits} from '../../../src/shadow/history/history.ts';
import {divergenceAlert} from '../../../src/shadow/notify/alert.ts';
import {bodyOf} from '../../../src/shadow/notify/formats.ts';
import {UserError} from '../../../src/text/userError.ts';
import {now} from '../../print/forecasts.ts';
import {aDivergence} from '../support/views.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'evictwatch-history-'));
});
afterEach(() => rmSync(folder, {recursive: true, force: true}));

const fileOf = () => join(folder, 'history.jsonl');
const unexpected = (error: unknown) => {
	throw error;
};
const open = (limits?: HistoryLimits) => History.open(folder, unexpected, limits);

test('what was recorded is there again, each divergence as it was last', () => {
	const first = open();
	first.record(aDivergence({id: 'a'}));
	first.record(aDivergence({id: 'b'}));
	first.record(aDivergence({id: 'a', endedAt: now}));
	first.recordTold([['hook a', 'firing']], now);
	first.close();
	const second = open();
	expect([...second.divergences].map(({id, endedAt}) => [id, endedAt])).toEqual([
		['b', null],
		['a', now],
	]);
	expect(second.told('hook a')).toBe('firing');
	expect(second.told('hook b')).toBeUndefined();
	second.close();
});

test('what comes at once waits for the disk once', async () => {
	const history = open();
	let waits = 0;
	const {fdatasyncSync} = fs;
	fs.fdatasyncSync = (descriptor) => {
		waits += 1;
		fdatasyncSync(descriptor);
	};
	syncBuiltinESMExports();
	try {
		const lines = () => readFileSync(fileOf(), 'utf8').split('\n').length - 1;
		for (let index = 0; index < 300; index += 1) history.record(aDivergence({id: `d${index}`}));
		await Promise.resolve();
		expect([waits, lines()]).toEqual([1, 300]);
		history.record(aDivergence({id: 'e'}));
		history.recordTold(
			Array.from({length: 100}, (_, index) => [`k${index}`, 'firing'] as const),
			now,
		);
		expect([waits, lines()]).toEqual([2, 401]);
		history.record(aDivergence({id: 'f'}));
		history.close();
		expect([waits, lines()]).toEqual([3, 402]);
	} finally {
		fs.fdatasyncSync = fdatasyncSync;
		syncBuiltinESMExports();
	}
});

test("it is nobody else's to read", () => {
	open().close();
	expect(statSync(fileOf()).mode & 0o777).toBe(0o600);
});

test('a file cut off anywhere holds all that was written before the cut, and can be written on', () => {
	const history = open();
	for (let index = 0; index < 5; index += 1) history.recordTold([[`k${index}`, 'firing']], now);
	history.close();
	const whole = readFileSync(fileOf());
	fc.assert(
		fc.property(fc.nat(whole.length), (length) => {
			writeFileSync(fileOf(), whole);
			truncateSync(fileOf(), length);
			const wholeLines = whole.subarray(0, length).toString().split('\n').length - 1;
			const cut = open();
			const known = () => [0, 1, 2, 3, 4].filter((index) => cut.told(`k${index}`) !== undefined);
			expect(known()).toHaveLength(wholeLines);
			cut.recordTold([['later', 'firing']], now);
			cut.close();
			const again = open();
			expect(again.told('later')).toBe('firing');
			again.close();
		}),
	);
});

test('lines that are no entries are passed over', () => {
	writeFileSync(
		fileOf(),
		'{"type":"told"}\nnull\n{"type":"divergence","divergence":{}}\n\u0000\u0000\n[1]\n',
	);
	const history = open();
	history.recordTold([['a', 'firing']], now);
	expect([...history.divergences]).toEqual([]);
	expect(history.told('a')).toBe('firing');
	history.close();
});

test.for([
	{without: 'object'},
	{without: 'action'},
	{without: 'noticedAt'},
	{without: 'because'},
	{without: 'endedAt'},
] as const)('a divergence without $without is passed over, and what is left can be told', ({without}) => {
	const flawed = {...aDivergence({id: 'flawed'}), [without]: undefined};
	const entries = [flawed, {...aDivergence({id: 'far'}), noticedAt: 1e300}, aDivergence({id: 'whole'})];
	writeFileSync(
		fileOf(),
		entries.map((divergence) => `${JSON.stringify({type: 'divergence', divergence})}\n`).join(''),
	);
	const history = open();
	const alerts = [...history.divergences].map((divergence) => divergenceAlert(divergence, now));
	expect(alerts.map(({key}) => key)).toEqual(['whole']);
	expect(bodyOf('alertmanager', alerts, now, true)).toContain('whole');
	history.close();
});

test('it stays small: what is old goes, and what is kept is the newest', () => {
	const limits = {bytes: 20_000, kept: 10};
	const history = open(limits);
	let largest = 0;
	for (let index = 0; index < 500; index += 1) {
		history.record(aDivergence({id: `d${index}`}));
		history.recordTold([[`k${index}`, 'firing']], now);
		largest = Math.max(largest, statSync(fileOf()).size);
	}
	history.close();
	expect(largest).toBeLessThan(limits.bytes + 2000);
	const again = open(limits);
	expect([...again.divergences].map(({id}) => id)).toEqual(
		Array.from({length: 10}, (_, index) => `d${490 + index}`),
	);
	expect(again.told('k499')).toBe('firing');
	expect(again.told('k0')).toBeUndefined();
	again.close();
});

test('a part that was left behind by a kill does no harm', () => {
	appendFileSync(`${fileOf()}.part`, '{"type":"told","key":"x","state":"firing","at":1}');
	const history = open({bytes: 0, kept: 5});
	history.recordTold([['a', 'firing']], now);
	history.recordTold([['b', 'firing']], now);
	history.close();
	expect(open().told('b')).toBe('firing');
});

test('where it cannot be written any more, that is said once, and the rest goes on', () => {
	const failures: unknown[] = [];
	const history = History.open(folder, (error) => failures.push(error));
	history.close();
	history.recordTold([['a', 'firing']], now);
	history.recordTold([['b', 'firing']], now);
	expect(failures).toHaveLength(1);
	expect(history.told('b')).toBe('firing');
});

test('a folder that cannot be used is said in two lines', () => {
	writeFileSync(join(folder, 'file'), '');
	const open = () => History.open(join(folder, 'file'), unexpected);
	expect(open).toThrow(UserError);
	expect(open).toThrow(/the history in .* cannot be used/);
});
