import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {minute} from '../../../src/core/time/instant.ts';
import {formatHtml} from '../../../src/report/html.ts';
import {reportedOutage} from '../../report/outages.ts';
import {findBrowser} from '../shadowOperations/chromium.ts';

// Tests the page of a report in headless Chromium, at a phone's and at a desktop's width, light and dark. Installs Chromium
// with Debian's package manager if it is missing; if that is impossible, reports it and fails nothing.

const folder = mkdtempSync(join(tmpdir(), 'evictwatch-browser-'));
let [passed, failed] = [0, 0];

function check(what: string, isSo: boolean, detail = ''): void {
	if (isSo) passed += 1;
	else failed += 1;
	console.log(`${isSo ? 'ok' : 'FAILED'}: ${what}${isSo ? '' : ` ${detail}`}`);
}

/** Measures the page at a width, with a script in another page, because the report has none itself. */
function measured(browser: string, page: string, width: number, dark: boolean) {
	const probe = join(folder, `probe-${width}-${dark}.html`);
	// The report's policy forbids scripts in it; the page around its frame measures it.
	writeFileSync(
		probe,
		`<!doctype html><body style="margin:0"><iframe id="f" style="width:${width}px;height:900px;border:0" src="${page}"></iframe><script>
onload=()=>{const d=f.contentDocument,w=f.contentWindow,e=d.documentElement,b=[...d.querySelectorAll('td,li,p,h1,.tile')];
document.body.dataset.out=JSON.stringify({scroll:e.scrollWidth,client:e.clientWidth,dark:w.matchMedia('(prefers-color-scheme: dark)').matches,
paper:w.getComputedStyle(d.body).backgroundColor,ink:w.getComputedStyle(d.body).color,font:parseFloat(w.getComputedStyle(d.body).fontSize),
wide:b.filter(x=>x.getBoundingClientRect().right>${width}+1).length,lanes:d.querySelectorAll('.lane').length,bars:[...d.querySelectorAll('.track i')].filter(x=>x.getBoundingClientRect().width>0).length,
stacked:d.querySelector('.rows thead')?w.getComputedStyle(d.querySelector('.rows thead')).display==='none':null})}</script></body>`,
	);
	const scheme = `--blink-settings=preferredColorScheme=${dark ? 0 : 1}`;
	const args = [
		'--headless=new',
		'--no-sandbox',
		'--disable-gpu',
		'--allow-file-access-from-files',
		scheme,
		`--user-data-dir=${join(folder, 'profile')}`,
	];
	const dom = execFileSync(
		browser,
		[...args, '--virtual-time-budget=5000', '--dump-dom', `file://${probe}`],
		{encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: minute},
	);
	const [, out] = /data-out="([^"]*)"/.exec(dom) ?? [];
	const picture = join(folder, `${width}-${dark}.png`);
	execFileSync(
		browser,
		[
			...args,
			'--hide-scrollbars',
			`--window-size=${Math.max(500, width)},900`,
			`--screenshot=${picture}`,
			`file://${probe}`,
		],
		{stdio: 'ignore', timeout: minute},
	);
	return {...JSON.parse((out ?? '{}').replaceAll('&quot;', '"')), picture: readFileSync(picture).length};
}

/** The lightness of a CSS colour, from 0 to 255. */
const lightness = (colour: string): number => {
	const parts = (colour.match(/\d+/g) ?? []).slice(0, 3).map(Number);
	return parts.reduce((sum, part) => sum + part, 0) / 3;
};

async function run(browser: string): Promise<void> {
	const page = join(folder, 'report.html');
	writeFileSync(page, formatHtml(await reportedOutage('zone-dies', 6 * minute)));
	for (const [width, dark] of [
		[360, false],
		[390, true],
		[768, false],
		[1280, false],
		[1280, true],
	] as const) {
		const found = measured(browser, 'report.html', width, dark);
		const name = `${width} pixels, ${dark ? 'dark' : 'light'}`;
		const foundText = JSON.stringify(found);
		check(
			`${name}: nothing is wider than the screen`,
			found.scroll <= found.client && (width > 640 || found.wide === 0),
			foundText,
		);
		check(
			`${name}: four lanes and an axis are drawn, with bars in them`,
			found.lanes === 5 && found.bars >= 12,
			foundText,
		);
		check(
			`${name}: letters can be read, and stand out`,
			found.font >= 15 && Math.abs(lightness(found.paper) - lightness(found.ink)) > 150,
			foundText,
		);
		check(
			`${name}: it is ${dark ? 'dark' : 'light'} as its reader is`,
			found.dark === dark && lightness(found.paper) < 128 === dark,
			foundText,
		);
		check(
			`${name}: rows ${width <= 640 ? 'are cards' : 'are a table'}`,
			found.stacked === width <= 640,
			foundText,
		);
		check(`${name}: there is a picture of it`, found.picture > 10_000, foundText);
	}
}

try {
	const browser = findBrowser();
	if (browser) await run(browser);
	else
		console.log(
			'skipped: there is no chromium here, and it cannot be installed: the page of a report is not looked at',
		);
} finally {
	rmSync(folder, {recursive: true, force: true});
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
