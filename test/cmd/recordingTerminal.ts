import type {Terminal} from '../../cmd/terminal.ts';

/** A terminal that keeps what is printed. */
export function recordingTerminal(): Terminal & {texts(): {out: string; err: string}} {
	let out = '';
	let err = '';
	return {
		print: async (text) => {
			out += text;
		},
		printError: async (text) => {
			err += text;
		},
		texts: () => ({out, err}),
	};
}
