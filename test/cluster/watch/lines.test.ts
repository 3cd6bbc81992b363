import fc from 'fast-check';
import {expect, test} from 'vitest';
import {linesOf} from '../../../src/cluster/watch/watch.ts';

async function split(chunks: readonly Uint8Array[]) {
	const stream = (async function* () {
		yield* chunks;
	})();
	const bursts: (readonly string[])[] = [];
	for await (const burst of linesOf(stream)) bursts.push(burst);
	return bursts;
}

test('each chunk gives the lines that it completes; a cut-off rest is dropped', async () => {
	const chunks = ['a\nb', 'c\n', 'd', '\n\nrest'].map((text) => Buffer.from(text));
	expect(await split(chunks)).toEqual([['a'], ['bc'], ['d', '']]);
});

test('only a newline ends a line', async () => {
	const line = 'one\u2028still one\u2029\u0085\r';
	expect(await split([Buffer.from(`${line}\n`)])).toEqual([[line]]);
});

test('however the bytes are cut, the lines are the same', async () => {
	const text = 'größe 🙂 äöü\nzweite Zeile\n\ndritte\n';
	await fc.assert(
		fc.asyncProperty(fc.array(fc.nat(Buffer.byteLength(text))), async (cuts) => {
			const bytes = Buffer.from(text);
			const edges = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
			const chunks = edges.slice(1).map((end, i) => bytes.subarray(edges[i], end));
			expect((await split(chunks)).flat()).toEqual(text.split('\n').slice(0, -1));
		}),
	);
});
