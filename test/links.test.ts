import {existsSync, globSync, readFileSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';

const pages = globSync(['*.md', '{.github,deploy,docs,scripts,src,cmd,test,tools}/**/*.md']).filter(
	(path) => !path.includes('node_modules'),
);

/** What a page says outside of code, where brackets are no links. */
const proseOf = (page: string) =>
	readFileSync(page, 'utf8')
		.replaceAll(/^ *```[\s\S]*?^ *```/gm, '')
		.replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, ''));

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): readonly string[] {
	const headings = proseOf(page).matchAll(/^#+ (.*)$/gm);
	return [...headings].map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replaceAll(/[^\p{L}\p{N} _-]/gu, '')
			.replaceAll(' ', '-'),
	);
}

function isDead(page: string, link: string): boolean {
	const [path = '', anchor] = link.split('#');
	const file = path === '' ? page : join(dirname(page), path);
	if (!existsSync(file)) return true;
	return anchor !== undefined && (statSync(file).isDirectory() || !anchorsOf(file).includes(anchor));
}

test.for(pages)('%s has no link that leads nowhere', (page) => {
	const links = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
	expect(links.filter((link) => !/^[a-z]+:/.test(link) && isDead(page, link))).toEqual([]);
});
