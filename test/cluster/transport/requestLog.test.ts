import {expect, test} from 'vitest';
import {requestLog} from '../../../src/cluster/transport/requestLog.ts';

const url = new URL('https://api:6443/api/v1/nodes?limit=500');
const at = Date.parse('2026-01-31T14:00:00.123Z');

function logged(verbosity: number, status: number | 'none' = 200): string {
	let text = '';
	const log = requestLog(verbosity, (line) => {
		text += line;
	});
	log(
		url,
		{authorization: 'Bearer sesame', 'impersonate-group': ['a', 'b']},
		status === 'none' ? undefined : status,
		at - 7,
		at,
	);
	return text;
}

test('below 6 nothing is said', () => {
	expect(logged(5)).toBe('');
});

test('from 6 on each answer is a line', () => {
	const line =
		'I0131 14:00:00.123 "Response" verb="GET" url="https://api:6443/api/v1/nodes?limit=500" status=';
	expect(logged(6)).toBe(`${line}"200 OK" milliseconds=7\n`);
	expect(logged(6, 'none')).toBe(`${line}"" milliseconds=7\n`);
});

test('from 7 on the headers too, but no credential', () => {
	expect(logged(9).split('\n').slice(1)).toEqual([
		'I0131 14:00:00.123     authorization: <masked>',
		'I0131 14:00:00.123     impersonate-group: a, b',
		'',
	]);
	expect(logged(9)).not.toContain('sesame');
});
