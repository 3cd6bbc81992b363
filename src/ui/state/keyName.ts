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

/** What ink tells of a key, as far as it matters. */
type KeyPress = Readonly<Record<keyof typeof special | 'tab' | 'ctrl' | 'shift' | 'meta', boolean>>;

/** The names of keys that are no letter, as bindings have them. */
export const specialKeys: readonly string[] = [...Object.values(special), 'tab', 'shift-tab', 'space'];

/**
 * The keys behind one press as bindings name them: `up`, `ctrl-c`, `G`, `space`. Several letters typed in a hurry arrive
 * as one press, and are as many keys. Escape and a key within a few milliseconds of it arrive as that key with alt: they are
 * two, as nothing is bound to alt.
 */
export function keyNames(input: string, key: KeyPress): readonly string[] {
	const names = namesOf(input, key);
	return key.meta && !key.escape ? ['esc', ...names] : names;
}

/** What a key is called of which ink tells nothing, as of F5. */
export const unknownKey = 'unknown';

function namesOf(input: string, key: KeyPress): readonly string[] {
	for (const [field, name] of Object.entries(special)) if (key[field as keyof KeyPress]) return [name];
	if (key.tab) return [key.shift ? 'shift-tab' : 'tab'];
	if (input === '') return [unknownKey];
	if (key.ctrl) return [`ctrl-${input.toLowerCase()}`];
	return [...input].map((letter) =>
		letter === ' ' ? 'space' : letter === '\r' || letter === '\n' ? 'enter' : letter,
	);
}
