const special = {
	upArrow: 'up',
	downArrow: 'down',
	leftArrow: 'left',
	rightArrow: 'right',
	pageUp: 'pgup',
	pageDown: 'pgdn',
	home: 'home',
	end: 'end',
	return: 'enter',
	escape: 'esc',
	backspace: 'backspace',
	delete: 'delete',
} as const;

/** The relevant fields of ink's key event. */
export type KeyPress = Readonly<Record<keyof typeof special | 'tab' | 'ctrl' | 'shift' | 'meta', boolean>>;

/**
 * The names of the keys in one key event: `up`, `ctrl-c`, `G`, `space`. Letters typed quickly arrive as one event, and are
 * separate keys. Escape and a key within a few milliseconds arrive as alt with that key; they are two keys, because nothing
 * is bound to alt.
 */
export function keyNames(input: string, key: KeyPress): readonly string[] {
	const names = namesOf(input, key);
	return key.meta && !key.escape ? ['esc', ...names] : names;
}

/** The name of a key that ink does not report, such as F5. */
const unknownKey = 'unknown';

export const keyWords = (key: string) => `key ${key === unknownKey ? 'like that' : key}`;

function namesOf(input: string, key: KeyPress): readonly string[] {
	for (const [field, name] of Object.entries(special)) if (key[field as keyof KeyPress]) return [name];
	if (key.tab) return [key.shift ? 'shift-tab' : 'tab'];
	if (input === '') return [unknownKey];
	if (key.ctrl) return [`ctrl-${input.toLowerCase()}`];
	return [...input].map((letter) =>
		letter === ' ' ? 'space' : letter === '\r' || letter === '\n' ? 'enter' : letter,
	);
}
