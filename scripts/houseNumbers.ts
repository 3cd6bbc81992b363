import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

// Prints how many tokens and lines src and cmd have, beside the most that package.json allows, and fails above them. Comments
// and imports are no tokens; a string is one token, a template one and those within its ${}.

const root = join(import.meta.dirname, '..');

const token =
	/[\p{L}_$#][\p{L}\p{N}_$]*|\p{N}[\p{L}\p{N}_.]*|=>|[=!<>]==?|\?\?=?|\?\.|&&|\|\||\.\.\.|[^\s\p{L}\p{N}_]/uy;
const text = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/uy;
const comment = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/uy;
const templateText = /(?:\\[\s\S]|\$(?!\{)|[^\\`$])+/uy;

function tokensOf(source: string): number {
	const code = source.replace(/^import\b[^;]*;/gm, '');
	/** Where the scan is, within templates: in the text of one, or in so many braces within a ${}. */
	const nesting: ('text' | number)[] = [];
	let count = 0;
	let at = 0;
	const skip = (pattern: RegExp): boolean => {
		pattern.lastIndex = at;
		const matched = pattern.test(code);
		if (matched) at = pattern.lastIndex;
		return matched;
	};
	while (at < code.length) {
		const place = nesting.at(-1);
		if (place === 'text') {
			if (skip(templateText)) continue;
			if (code[at] === '`') nesting.pop();
			else nesting.push(0);
			at += code[at] === '`' ? 1 : 2;
		} else if (place === 0 && code[at] === '}') {
			nesting.pop();
			at++;
		} else if (skip(text)) count++;
		else if (!skip(comment)) {
			if (code[at] === '`') nesting.push('text');
			else if (code[at] === '{' && place !== undefined) nesting[nesting.length - 1] = place + 1;
			else if (code[at] === '}' && place !== undefined) nesting[nesting.length - 1] = place - 1;
			if (skip(token)) count++;
			else at++;
		}
	}
	return count;
}

const sources = execFileSync('git', ['ls-files', 'src', 'cmd'], {cwd: root, encoding: 'utf8'})
	.split('\n')
	.filter((file) => /\.tsx?$/.test(file) && existsSync(join(root, file)))
	.map((file) => readFileSync(join(root, file), 'utf8'));
const sum = (count: (source: string) => number) =>
	sources.reduce((total, source) => total + count(source), 0);
const measured = {tokens: sum(tokensOf), lines: sum((source) => source.split('\n').length - 1)};
const allowed: typeof measured = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).house;

for (const unit of ['tokens', 'lines'] as const) {
	console.log(`src and cmd have ${measured[unit]} ${unit}; "house" in package.json allows ${allowed[unit]}`);
	if (measured[unit] > allowed[unit]) process.exitCode = 1;
}
if (process.exitCode)
	console.error('That is more than allowed: make it less, or say in the commit why the number rises.');
