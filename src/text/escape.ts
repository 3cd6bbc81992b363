// C0 and C1 controls (with ESC and CSI), line and paragraph separators, format characters (turning the direction, of no width,
// tags), letters and signs that are blank, and blanks other than the space: each could move the cursor, hide text or make one name look like another.
const unsafe =
	/(?! )[\p{Cc}\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\u{13441}\u{13442}\u{16fe4}\u{1d159}]/gu;

/**
 * Makes control characters in text from the API visible, so that none reaches the terminal: ESC becomes `^[`, CR `\r`.
 * Newlines stay.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/cli-runtime/pkg/printers/terminal.go WriteEscaped
 */
export const escapeForTerminal = (text: string): string => text.replace(unsafe, visible);

/** Like `escapeForTerminal`, but keeps tabs as well. */
export const escapeStream = (text: string): string =>
	text.replace(unsafe, (character) => (character === '\t' ? character : visible(character)));

/**
 * Like `escapeForTerminal`, for a table cell, which ends at its first line break.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/cli-runtime/pkg/printers/tableprinter.go printRows
 */
export function escapeForCell(text: string): string {
	if (!isUnsafe(text)) return text;
	const lineBreak = text.search(/[\f\n\r]/);
	return lineBreak < 0 ? escapeForTerminal(text) : `${escapeForTerminal(text.slice(0, lineBreak))}...`;
}

/** Whether text contains characters that must not reach a terminal unescaped. */
export const isUnsafe = (text: string) => text.search(unsafe) >= 0;

/** Replaces characters that JSON allows but a terminal must not see with JSON escapes; the values stay the same. */
export const escapeInsideQuotes = (json: string): string =>
	json.replace(unsafe, (character) => (character === '\n' ? character : codePoint(character)));

function visible(character: string): string {
	switch (character) {
		case '\n':
			return character;
		case '\r':
			return '\\r';
		case '\t':
			return '\\t';
		default:
			// Caret notation: ^@ to ^_, with ^[ for ESC.
			return character < ' ' ? `^${String.fromCharCode(character.charCodeAt(0) + 64)}` : codePoint(character);
	}
}

/** Two escapes for a character beyond the first 65,536, as in JSON. */
const codePoint = (character: string): string =>
	character
		.split('')
		.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
		.join('');
