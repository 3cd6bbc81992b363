import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {Random} from '../../../src/core/time/random.ts';

/** Draws lines of code from files and folders, each as a pattern `FILE:LINE-LINE`. */
export function drawLines(
	root: string,
	places: readonly string[],
	count: number,
	seed: number,
): readonly string[] {
	const files = places.flatMap((place) =>
		place.endsWith('.ts') ? [place] : globSync(`${place}/**/*.ts`, {cwd: root}).toSorted(),
	);
	const lines = files.flatMap((file) =>
		readFileSync(join(root, file), 'utf8')
			.split('\n')
			.flatMap((line, index) => (isCode(line) ? [`${file}:${index + 1}-${index + 1}`] : [])),
	);
	const random = new Random(seed);
	const drawn = lines.map((line) => ({line, order: random.next()})).toSorted((a, b) => a.order - b.order);
	return drawn.slice(0, count).map(({line}) => line);
}

function isCode(line: string): boolean {
	return !/^\s*(\/\/|\/\*|\*|import\b|export type\b|readonly\b|[\])}; ]*$)/.test(line);
}
