import {readFileSync, writeFileSync} from 'node:fs';

/** Replaces what a tool has written into a page: what stands between the comments `NAME` and `end of NAME`. */
export function writeSection(page: string, name: string, text: string): void {
	const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
	const before = readFileSync(page, 'utf8');
	const [from, to] = [before.indexOf(begin), before.indexOf(end)];
	if (from < 0 || to < from) throw new Error(`${page} has no section "${begin}" that ends with "${end}"`);
	writeFileSync(page, `${before.slice(0, from + begin.length)}\n\n${text}\n\n${before.slice(to)}`);
}
