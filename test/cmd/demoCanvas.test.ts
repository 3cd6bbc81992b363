import {expect, test} from 'vitest';
import {Canvas} from '../../cmd/demoCanvas.ts';
import {recordingTerminal} from './recordingTerminal.ts';

const size = {rows: 4, columns: 10};

async function drawn(act: (canvas: Canvas) => Promise<void>): Promise<string> {
	const terminal = recordingTerminal();
	await act(new Canvas(terminal.print));
	return terminal.texts().out;
}

test('the second frame goes over the first, line by line, and clears what is left of it', async () => {
	const text = await drawn(async (canvas) => {
		await canvas.draw(['one', 'two'], size);
		await canvas.draw(['three'], size);
	});
	expect(text).toBe(
		'\x1b[?25lone\x1b[K\ntwo\x1b[K\n\x1b[J' + //
			'\x1b[?25l\r\x1b[2Athree\x1b[K\n\x1b[J',
	);
});

test('what does not fit is cut, so that the next frame finds its place', async () => {
	const text = await drawn((canvas) => canvas.draw(['0123456789', '1', '2', '3'], size));
	expect(text).toBe('\x1b[?25l01234567…\x1b[K\n1\x1b[K\n2\x1b[K\n\x1b[J');
});

test('after a change of size the next frame begins on a clear screen', async () => {
	const text = await drawn(async (canvas) => {
		await canvas.draw(['one'], size);
		canvas.resized();
		await canvas.draw(['one'], size);
	});
	expect(text).toContain('\x1b[?25l\x1b[2J\x1b[Hone');
});
