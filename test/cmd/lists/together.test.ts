import {expect, test} from 'vitest';
import {askedOn} from '../askedOutage.ts';

test('on a terminal many pods that are alike share a row; a pipe, -o wide and names show each', async () => {
	const commands = ['pods -A', 'pods -A -o wide', 'pods -A --sort-by .metadata.name'];
	const {texts, errors} = await askedOn(140, 'partial-large-zone', 80, commands);
	const [together = '', wide = '', sorted = ''] = texts;
	const rowsOf = (text: string) => text.match(/^(shop|payments|kube-system|monitoring) .*$/gm) ?? [];
	expect(rowsOf(together).length).toBeLessThan(50);
	expect(together).toMatch(/^shop +deployment\/session-cache \(\d+ pods\) +\S+-\S+ .* Expected +\d+ nodes /m);
	expect(errors[0]).toContain('Pods that are alike share a row: -o wide shows each, and so does a pipe.\n');
	expect(errors[0]).toMatch(/How to save pods, and until when: kubectl evictwatch rescue\b/);
	expect(rowsOf(wide).length).toBeGreaterThan(150);
	expect(errors[1]).not.toContain('share a row');
	expect(rowsOf(sorted)).toHaveLength(rowsOf(wide).length);
	const piped = await askedOn(undefined, 'partial-large-zone', 80, ['pods -A']);
	expect(piped.errors[0]).not.toContain('How to save pods');
	expect(rowsOf(piped.texts[0] ?? '')).toHaveLength(rowsOf(wide).length);
	const few = await askedOn(140, 'rack-dies', 80, ['pods -A']);
	expect(few.errors[0]).not.toContain('share a row');
});
