import {randomBytes} from 'node:crypto';
import {gzipSync} from 'node:zlib';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {AnswerBody, mostBytes, release} from '../../../src/cluster/transport/answerBody.ts';

/** A body that arrives in pieces, each in its own turn of the event loop. */
function arriving(bytes: Buffer, size: number, isZipped: boolean, onEnd = () => {}): AnswerBody {
	const body = new AnswerBody(isZipped, 'object');
	const pieces = Array.from({length: Math.ceil(bytes.length / size)}, (_, index) =>
		bytes.subarray(index * size, (index + 1) * size),
	);
	const next = () => {
		const piece = pieces.shift();
		if (piece) {
			body.write(piece);
			setImmediate(next);
		} else {
			onEnd();
			body.end();
		}
	};
	next();
	return body;
}

test('a body is what was sent, in however many pieces and compressed or not', async () => {
	const property = fc.asyncProperty(
		fc.uint8Array({maxLength: 20_000}),
		fc.integer({min: 1, max: 5000}),
		fc.boolean(),
		async (sent, size, isZipped) => {
			const wire = isZipped ? gzipSync(sent) : Buffer.from(sent);
			const {bytes, received} = await arriving(wire, size, isZipped).read();
			expect(Buffer.from(sent).equals(bytes)).toBe(true);
			expect(received).toBe(wire.length);
		},
	);
	await fc.assert(property);
});

test('several gzip members, as a proxy may send them, are one body', async () => {
	const wire = Buffer.concat([gzipSync('x'.repeat(100_000)), gzipSync('y')]);
	const {bytes} = await arriving(wire, 1000, true).read();
	expect(bytes.toString()).toBe(`${'x'.repeat(100_000)}y`);
});

test.for([true, false])(
	'its first bytes are told before the last ones are there (compressed: %s)',
	async (isZipped) => {
		// Incompressible, so that most of it is still to come when the head is reported.
		const sent = randomBytes(50_000);
		const wire = isZipped ? gzipSync(sent) : sent;
		let hasEnded = false;
		const heads: Buffer[] = [];
		const body = arriving(wire, 700, isZipped, () => {
			hasEnded = true;
		});
		await body.read((head) => {
			expect(hasEnded).toBe(false);
			heads.push(head);
		});
		expect(heads).toHaveLength(2);
		for (const head of heads) expect(sent.subarray(0, head.length).equals(head)).toBe(true);
		expect(heads[1]?.length).toBeGreaterThan(500);
	},
);

test('a body is as large as one of its kind may be, on the wire and inflated', async () => {
	const whole = Buffer.alloc(mostBytes.object);
	for (const isZipped of [false, true]) {
		const {bytes} = await arriving(isZipped ? gzipSync(whole) : whole, 65_536, isZipped).read();
		expect(bytes.length).toBe(whole.length);
	}
	const bomb = gzipSync(Buffer.alloc(mostBytes.object + 1));
	await expect(arriving(bomb, 65_536, true).read()).rejects.toThrow('more than 4 MiB');
	const body = new AnswerBody(false, 'object');
	body.write(whole);
	body.write(Buffer.from('x'));
	await expect(body.read()).rejects.toThrow('more than 4 MiB');
});

test('JSON may not have so many values that they fill the memory, empty ones or nested ones', async () => {
	const kinds = {object: 4, statistics: 8, list: 32} as const;
	for (const kind of ['object', 'statistics', 'list'] as const) {
		const most = (kinds[kind] * 2 ** 20) / 16;
		for (const text of ['{},'.repeat(most), '['.repeat(most + 1)]) {
			const body = new AnswerBody(false, kind);
			body.end(Buffer.from(text));
			await expect(body.read()).rejects.toThrow(`more than ${kinds[kind]} MiB, or as many values`);
		}
	}
	const body = new AnswerBody(false, 'list');
	body.end(Buffer.from('{"a":0},'.repeat(500_000)));
	await expect(body.read()).resolves.toMatchObject({received: 4_000_000});
});

test('what says that it is gzip and is not, or ends too early, is an error', async () => {
	const wire = gzipSync('x'.repeat(100_000));
	for (const broken of [Buffer.from('<html>no gzip</html>'), wire.subarray(0, 90)]) {
		await expect(arriving(broken, 50, true).read()).rejects.toThrow();
	}
});

test('a body that is cut off fails for whoever reads it, and for whoever listens, and for nobody else', async () => {
	const body = new AnswerBody(false, 'object');
	const heard: unknown[] = [];
	body.once('error', (error) => heard.push(error));
	body.write(Buffer.from('half of '));
	const cut = new Error('cut off');
	body.destroy(cut);
	await expect(body.read()).rejects.toBe(cut);
	await body.dump();
	expect(heard).toEqual([cut]);
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

test('what says that it is too large once inflated is not inflated', async () => {
	const bytes = gzipSync('{}');
	bytes.writeUInt32LE(mostBytes.list + 1, bytes.length - 4);
	const body = new AnswerBody(true, 'list');
	body.end(bytes);
	await expect(body.read()).rejects.toThrow('it has more than 32 MiB');
});

test('each body may be large, but not all at once; what is small is read meanwhile', async () => {
	const large = () => Buffer.alloc(30 * 2 ** 20, ' ');
	const bodies = Array.from({length: 3}, () => new AnswerBody(false, 'list'));
	for (const body of bodies) body.write(large());
	const [fourth, small] = [new AnswerBody(false, 'list'), new AnswerBody(false, 'list')];
	fourth.end(large());
	small.end('{}');
	await expect(fourth.read()).rejects.toThrow('all that arrive have more than 96 MiB');
	await expect(small.read()).resolves.toMatchObject({received: 2});
	for (const body of bodies) body.destroy();
	const later = new AnswerBody(false, 'list');
	later.end(large());
	await expect(later.read()).resolves.toMatchObject({received: 30 * 2 ** 20});
});
