import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {shadowFlags} from '../../cmd/args/flagGroups/shadowFlags.ts';

test('every flag that names somebody to talk to, or serves, stands in SECURITY.md', () => {
	const page = readFileSync('SECURITY.md', 'utf8');
	const reaching = Object.entries(shadowFlags)
		.filter(([, {help}]) => /\bURL\b|HOST:PORT|token/.test(help))
		.map(([name]) => `--${name}`);
	expect(reaching).toEqual(expect.arrayContaining(['--listen', '--controller-metrics']));
	expect(reaching.filter((flag) => !new RegExp(`${flag}(?![\\w-])`).test(page))).toEqual([]);
});
