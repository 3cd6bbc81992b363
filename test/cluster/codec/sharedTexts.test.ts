import fc from 'fast-check';
import {expect, test} from 'vitest';
import {SharedTexts} from '../../../src/cluster/codec/wire/sharedTexts.ts';

test('a text is what its bytes say, whatever was read before it', () => {
	const texts = new SharedTexts();
	const bytes = fc.oneof(
		fc.uint8Array({maxLength: 12}),
		fc.string().map(Buffer.from),
		fc.constant(Buffer.from('é')),
	);
	const any = fc.array(bytes, {maxLength: 30});
	fc.assert(
		fc.property(any, (all) => {
			for (const one of all) {
				const whole = Buffer.concat([Buffer.from('<'), one, Buffer.from('>')]);
				expect(texts.read(whole, 1, 1 + one.length)).toBe(Buffer.from(one).toString());
			}
		}),
	);
});

test('texts of one length that differ in their middle alone stay apart', () => {
	const texts = new SharedTexts();
	const all = ['abcdefghijklmnop', 'abxdefghijklmnop', 'abcdeyghijklmnop'];
	const read = (text: string) => texts.read(Buffer.from(text), 0, text.length);
	expect([...all, ...all].map(read)).toEqual([...all, ...all]);
});
