export type KeyAction = keyof typeof keyTable;

type KeySpec = Readonly<{
	keys: readonly [string, ...string[]];
	help: string;
	group: 'Move' | 'Look' | 'Views' | 'Do' | 'Time';
	/** The word at the bottom of the screen, for keys that are shown there. */
	hint?: string;
}>;

/** The keys of a group. */
const keysTo = <Name extends string>(
	group: KeySpec['group'],
	specs: Readonly<Record<Name, Omit<KeySpec, 'group'>>>,
) => {
	const named = Object.entries<Omit<KeySpec, 'group'>>(specs).map(([name, spec]) => [name, {...spec, group}]);
	return Object.fromEntries(named) as Record<Name, KeySpec>;
};

/**
 * Every key except the letters that sort and those of a prompt (`prompt.ts`). Help is generated from this table, and a test compares `docs/dashboard.md` with it.
 */
const keyTable = {
	...keysTo('Move', {
		up: {keys: ['up', 'k'], help: 'one row up'},
		down: {keys: ['down', 'j'], help: 'one row down'},
		pageUp: {keys: ['pgup', 'ctrl-b'], help: 'one page up'},
		pageDown: {keys: ['pgdn', 'ctrl-f'], help: 'one page down'},
		top: {keys: ['g', 'home'], help: 'to the first row'},
		bottom: {keys: ['G', 'end'], help: 'to the last row'},
		halfUp: {keys: ['ctrl-u'], help: 'half a page up'},
		halfDown: {keys: ['ctrl-d'], help: 'half a page down'},
	}),
	...keysTo('Look', {
		open: {
			keys: ['enter', 'right', 'l'],
			help: 'why; then all of it',
			hint: 'why',
		},
		describe: {keys: ['d'], help: 'why, also of a node', hint: 'why'},
		whatIf: {keys: ['w'], help: 'rescue, what if', hint: 'what if'},
		yaml: {keys: ['y'], help: 'the forecast as YAML'},
		back: {keys: ['esc', 'left', 'h'], help: 'back; first clears the filter and the marks'},
		filter: {keys: ['/'], help: 'filter: PATTERN, !PATTERN or -l app=cart', hint: 'filter'},
		namespace: {keys: ['n'], help: 'only one namespace', hint: 'namespace'},
		allNamespaces: {keys: ['0'], help: 'all namespaces'},
	}),
	...keysTo('Views', {
		command: {keys: [':'], help: 'to a view: :po NAMESPACE, /FILTER, app=x, -A, @CONTEXT', hint: 'view'},
		views: {keys: ['ctrl-a'], help: 'the names of all views'},
		nextView: {keys: ['tab'], help: 'the next view'},
		previousView: {keys: ['shift-tab'], help: 'the view before'},
		overview: {keys: ['1'], help: 'overview'},
		zones: {keys: ['2'], help: 'zones'},
		nodes: {keys: ['3'], help: 'nodes'},
		pods: {keys: ['4'], help: 'pods'},
		workloads: {keys: ['5'], help: 'workloads'},
		events: {keys: ['6'], help: 'events: what was predicted, what happened'},
		settings: {keys: ['7'], help: 'settings, and where each comes from'},
		problems: {keys: ['8'], help: 'problems: what cannot be seen'},
		pressure: {keys: ['9'], help: 'pressure: what nodes have left, who is next'},
	}),
	...keysTo('Do', {
		copy: {keys: ['c'], help: 'copy what to do now, then the name; marked ones; YAML'},
		mark: {keys: ['space'], help: 'mark or unmark the row'},
		pause: {keys: ['p'], help: 'pause, or resume', hint: 'pause'},
		theme: {keys: ['t'], help: 'the next theme'},
		timeZone: {keys: ['@'], help: 'times: UTC, or local'},
		redraw: {keys: ['ctrl-l'], help: 'draw the screen anew'},
		save: {keys: ['ctrl-s'], help: 'record; again ends it'},
		suspend: {keys: ['ctrl-z'], help: 'to the shell, until fg'},
		help: {keys: ['?'], help: 'this help', hint: 'help'},
		quit: {keys: ['q', 'ctrl-c'], help: 'quit', hint: 'quit'},
	}),
	...keysTo('Views', {
		menu: {keys: ['m'], help: 'other cluster, outage', hint: 'menu'},
	}),
	...keysTo('Time', {
		faster: {keys: ['+', '='], help: 'let time pass faster', hint: 'faster'},
		slower: {keys: ['-'], help: 'let time pass slower', hint: 'slower'},
		later: {keys: ['.'], help: 'in a recording: 10 seconds on'},
		earlier: {keys: [','], help: 'in a recording: 10 seconds back'},
		muchLater: {keys: ['>'], help: 'in a recording: a minute on'},
		muchEarlier: {keys: ['<'], help: 'in a recording: a minute back', hint: 'minute back'},
		nextMark: {keys: [']'], help: 'in a recording: to what happens next', hint: 'next event'},
		previousMark: {keys: ['['], help: 'in a recording: to what happened before'},
	}),
};

export const actions = Object.keys(keyTable) as readonly KeyAction[];

export const specOf = (action: KeyAction) => keyTable[action];

/** The action of a key; undefined if it has none. */
export const actionOf = (key: string): KeyAction | undefined =>
	actions.find((action) => specOf(action).keys.includes(key));
