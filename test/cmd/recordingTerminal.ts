import type {Terminal} from '../../cmd/output/terminal.ts';
import {escapeStream} from '../../src/text/escape.ts';
import {redact} from '../../src/text/redact.ts';

/** A terminal that keeps its output in the form of the real one's. */
export function recordingTerminal(): Terminal & {texts(): {out: string; err: string}} {
	let out = '';
	let err = '';
	return {
		print: async (text) => {
			out += escapeStream(text);
		},
		printDocument: async (text) => {
			out += text;
		},
		printError: async (text) => {
			err += escapeStream(redact(text));
		},
		replaceLine: async (text) => {
			err += `\r${escapeStream(redact(text))}`;
		},
		texts: () => ({out, err}),
	};
}
