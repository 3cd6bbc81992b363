import {randomBytes} from 'node:crypto';
import {gzipSync} from 'node:zlib';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {readBody, release} from '../../src/cluster/answerBody.ts';

async function* chunksOf(bytes: Buffer, size: number, onEnd = () => {}): AsyncGenerator<Buffer> {
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
	onEnd();
}

test('a body is what was sent, in however many pieces and compressed or not', async () => {
	const property = fc.asyncProperty(
		fc.uint8Array({maxLength: 20_000}),
		fc.integer({min: 1, max: 5000}),
		fc.boolean(),
		async (sent, size, isZipped) => {
			const wire = isZipped ? gzipSync(sent) : Buffer.from(sent);
			const {bytes, received} = await readBody({chunks: chunksOf(wire, size), isZipped});
			expect(Buffer.from(sent).equals(bytes)).toBe(true);
			expect(received).toBe(wire.length);
		},
	);
	await fc.assert(property);
});

test('several gzip members, as a proxy may send them, are one body', async () => {
	const wire = Buffer.concat([gzipSync('x'.repeat(100_000)), gzipSync('y')]);
	const {bytes} = await readBody({chunks: chunksOf(wire, 1000), isZipped: true});
	expect(bytes.toString()).toBe(`${'x'.repeat(100_000)}y`);
});

test.for([true, false])(
	'its first bytes are told before the last ones are there (compressed: %s)',
	async (isZipped) => {
		// Not to be compressed, so that much is to come when the head is told.
		const sent = randomBytes(50_000);
		const wire = isZipped ? gzipSync(sent) : sent;
		let hasEnded = false;
		const heads: Buffer[] = [];
		const chunks = chunksOf(wire, 700, () => {
			hasEnded = true;
		});
		await readBody({chunks, isZipped}, (head) => {
			expect(hasEnded).toBe(false);
			heads.push(head);
		});
		expect(heads).toHaveLength(2);
		for (const head of heads) expect(sent.subarray(0, head.length).equals(head)).toBe(true);
		expect(heads[1]?.length).toBeGreaterThan(500);
	},
);

test('what says that it is gzip and is not, or ends too early, is an error', async () => {
	const wire = gzipSync('x'.repeat(100_000));
	for (const broken of [Buffer.from('<html>no gzip</html>'), wire.subarray(0, 90)]) {
		await expect(readBody({chunks: chunksOf(broken, 50), isZipped: true})).rejects.toThrow();
	}
});

test('memory that is given back is empty, and what shares it with others is left alone', () => {
	const large = Buffer.alloc(100_000, 1);
	release(large);
	expect(large.length).toBe(0);
	release(large);
	const small = Buffer.from('in the pool');
	release(small);
	expect(small.toString()).toBe('in the pool');
	const part = Buffer.alloc(100_000, 1).subarray(10, 20);
	release(part);
	expect(part.length).toBe(10);
});
