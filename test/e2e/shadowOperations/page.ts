import {writeFileSync} from 'node:fs';
import type {Check} from '../judge.ts';
import {Tab} from './chromium.ts';

type Look = {
	readonly scroll: number;
	readonly client: number;
	readonly rows: number;
	readonly cards: boolean;
	readonly paper: string;
	readonly font: number;
	readonly text: string;
	readonly scripts: number;
};

const look = `(() => {
	const d = document, e = d.documentElement, s = getComputedStyle(d.body), head = d.querySelector('.rows thead');
	return {scroll: e.scrollWidth, client: e.clientWidth, rows: d.querySelectorAll('tbody tr').length,
		cards: getComputedStyle(head).display === 'none', paper: s.backgroundColor, font: parseFloat(s.fontSize),
		text: d.body.innerText, scripts: d.scripts.length};
})()`;

const lightness = (colour: string): number =>
	(colour.match(/\d+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3;

/** Checks the status page in a real browser, at a phone's and at a desktop's width, light and dark, under its own policy. */
export async function checkPage(
	browser: string,
	profile: string,
	url: string,
	picture: string | undefined,
): Promise<readonly Check[]> {
	const tab = await Tab.open(browser, profile);
	const checks: Check[] = [];
	const check = (name: string, isSo: boolean, detail: unknown) =>
		checks.push({name: `page: ${name}`, failures: isSo ? [] : [JSON.stringify(detail)]});
	try {
		for (const [width, isDark] of [
			[360, true],
			[768, false],
			[1280, true],
			[1280, false],
		] as const) {
			await tab.show(url, width, isDark);
			const seen = await tab.ask<Look>(look);
			const name = `${width} pixels, ${isDark ? 'dark' : 'light'}`;
			check(`${name}: nothing is wider than the screen`, seen.scroll <= seen.client, seen);
			check(
				`${name}: its own looks are allowed`,
				seen.font === 16 && lightness(seen.paper) < 128 === isDark,
				seen,
			);
			check(`${name}: rows are ${width <= 640 ? 'cards' : 'a table'}`, seen.cards === width <= 640, seen);
			check(
				`${name}: zones and evictions are there without a script`,
				seen.rows > 4 && seen.scripts === 0,
				seen,
			);
		}
		const {text} = await tab.ask<Look>(look);
		for (const words of [
			/pods? will be evicted/,
			/eu\/b\s+\w*Disruption/,
			/shop\//,
			/unreachable:NoExecute/,
		]) {
			check(`it says ${words}`, words.test(text), text);
		}
		check('the browser has nothing to complain of', tab.complaints.length === 0, tab.complaints);
		await tab.ask(
			"document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.ran = 1'}))",
		);
		await tab.ask("document.body.append(Object.assign(document.createElement('img'), {src: '/livez'}))");
		check('a script that gets into it does not run', (await tab.ask('window.ran')) === undefined, 'it ran');
		check(
			'its policy says so',
			tab.complaints.some((each) => /Content Security Policy/.test(each)),
			tab.complaints,
		);
		if (picture !== undefined) {
			await tab.show(url, 1100, false);
			writeFileSync(picture, await tab.picture());
		}
	} finally {
		await tab.close();
	}
	return checks;
}
