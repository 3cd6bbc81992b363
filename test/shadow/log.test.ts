import {expect, test} from 'vitest';
import {createLog, type LogFormat, type LogLevel} from '../../src/shadow/log.ts';
import {isUnsafe} from '../../src/text/escape.ts';

const at = Date.parse('2026-01-31T14:00:00Z');

function logged(format: LogFormat, level: LogLevel = 'debug') {
	const lines: string[] = [];
	return {lines, log: createLog({format, level, now: () => at, write: (line) => lines.push(line)})};
}

test('JSON is one object a line, with time, level and message', () => {
	const {log, lines} = logged('json');
	log.info('a divergence', {zone: 'eu/a', pods: 3});
	expect(lines).toHaveLength(1);
	expect(lines[0]).toMatch(/^[^\n]*\n$/);
	expect(JSON.parse(lines[0] ?? '')).toEqual({
		time: '2026-01-31T14:00:00.000Z',
		level: 'info',
		message: 'a divergence',
		zone: 'eu/a',
		pods: 3,
	});
});

test('a field cannot pass itself off as the message', () => {
	const {log, lines} = logged('json');
	log.error('real', {message: 'false', level: 'debug'});
	expect(JSON.parse(lines[0] ?? '')).toMatchObject({message: 'real', level: 'error'});
});

test('below the level nothing is written', () => {
	const {log, lines} = logged('text', 'warn');
	log.debug('a');
	log.info('b');
	log.warn('c');
	log.error('d');
	expect(lines).toEqual(['2026-01-31T14:00:00.000Z WARN  c\n', '2026-01-31T14:00:00.000Z ERROR d\n']);
});

test.for<LogFormat>(['json', 'text'])(
	'%s: text from the cluster can neither break a line nor reach a terminal raw',
	(format) => {
		const {log, lines} = logged(format);
		log.info('x', {name: 'a\n{"level":"error"}\u001b[31m\u009b\u202e'});
		expect(lines[0]).toMatch(/^[^\n]*\n$/);
		expect(isUnsafe(lines[0]?.trimEnd() ?? '')).toBe(false);
	},
);

test.for([
	{fields: {bearerToken: 'hush'}, kept: []},
	{fields: {headers: {Authorization: 'Bearer hush', accept: 'json'}}, kept: ['json']},
	{fields: {error: new Error('401 for Bearer hush.hush-hush')}, kept: ['401']},
	{fields: {url: 'https://me:hush@hooks.example/a'}, kept: ['hooks.example/a']},
	{fields: {url: 'https://hooks.example/a?key=hush'}, kept: ['hooks.example/a']},
	{fields: {said: ['got eyJhdXNo.hush.hush back']}, kept: ['got', 'back']},
	{fields: {clientSecretFile: 'hush'}, kept: []},
])('no secret is written: $fields', ({fields, kept}) => {
	const {log, lines} = logged('json');
	log.info('x', fields);
	expect(lines[0]).not.toContain('hush');
	for (const text of kept) expect(lines[0]).toContain(text);
});
