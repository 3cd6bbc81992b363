export type KeyAction = keyof typeof keyTable;

type KeySpec = {
	readonly keys: readonly [string, ...string[]];
	readonly help: string;
	readonly group: 'Move' | 'Look' | 'Views' | 'Do' | 'Time';
	/** The word at the bottom of the screen, for keys that are shown there. */
	readonly hint?: string;
};

/**
 * Every key except the letters that sort and those of a prompt (`prompt.ts`). Help is generated from this table, and a test compares `docs/dashboard.md` with it.
 */
const keyTable = {
	up: {keys: ['up', 'k'], help: 'one row up', group: 'Move'},
	down: {keys: ['down', 'j'], help: 'one row down', group: 'Move'},
	pageUp: {keys: ['pgup', 'ctrl-b'], help: 'one page up', group: 'Move'},
	pageDown: {keys: ['pgdn', 'ctrl-f'], help: 'one page down', group: 'Move'},
	top: {keys: ['g', 'home'], help: 'to the first row', group: 'Move'},
	bottom: {keys: ['G', 'end'], help: 'to the last row', group: 'Move'},
	halfUp: {keys: ['ctrl-u'], help: 'half a page up', group: 'Move'},
	halfDown: {keys: ['ctrl-d'], help: 'half a page down', group: 'Move'},
	open: {
		keys: ['enter', 'right', 'l', 'd'],
		help: 'why: the reasoning of the row; unfolds a fold',
		group: 'Look',
		hint: 'why',
	},
	whatIf: {keys: ['w'], help: 'what if, of the row', group: 'Look'},
	yaml: {keys: ['y'], help: 'the forecast as YAML', group: 'Look'},
	back: {keys: ['esc', 'left', 'h'], help: 'back; first clears the filter and the marks', group: 'Look'},
	filter: {
		keys: ['/'],
		help: 'filter: PATTERN, !PATTERN or -l app=cart',
		group: 'Look',
		hint: 'filter',
	},
	namespace: {keys: ['n'], help: 'only one namespace', group: 'Look', hint: 'namespace'},
	allNamespaces: {keys: ['0'], help: 'all namespaces', group: 'Look'},
	command: {
		keys: [':'],
		help: 'to a view: :po, :po NAMESPACE, :po /FILTER; tab completes',
		group: 'Views',
		hint: 'view',
	},
	views: {keys: ['ctrl-a'], help: 'the names of all views', group: 'Views'},
	nextView: {keys: ['tab'], help: 'the next view', group: 'Views'},
	previousView: {keys: ['shift-tab'], help: 'the view before', group: 'Views'},
	overview: {keys: ['1'], help: 'overview', group: 'Views'},
	zones: {keys: ['2'], help: 'zones', group: 'Views'},
	nodes: {keys: ['3'], help: 'nodes', group: 'Views'},
	pods: {keys: ['4'], help: 'pods', group: 'Views'},
	workloads: {keys: ['5'], help: 'workloads', group: 'Views'},
	events: {keys: ['6'], help: 'events: what was predicted, what happened', group: 'Views'},
	settings: {keys: ['7'], help: 'settings, and where each comes from', group: 'Views'},
	problems: {keys: ['8'], help: 'problems: what cannot be seen', group: 'Views'},
	pressure: {keys: ['9'], help: 'pressure: what nodes have left, who is next', group: 'Views'},
	copy: {keys: ['c'], help: 'copy the name, those of marked rows, a command, or YAML', group: 'Do'},
	mark: {keys: ['space'], help: 'mark or unmark the row', group: 'Do'},
	pause: {keys: ['p'], help: 'pause, or resume', group: 'Do', hint: 'pause'},
	theme: {keys: ['t'], help: 'the next theme', group: 'Do'},
	timeZone: {keys: ['@'], help: 'times: UTC, or local', group: 'Do'},
	redraw: {keys: ['ctrl-l'], help: 'draw the screen anew', group: 'Do'},
	save: {keys: ['ctrl-s'], help: 'record; again ends it', group: 'Do'},
	suspend: {keys: ['ctrl-z'], help: 'to the shell, until fg', group: 'Do'},
	help: {keys: ['?'], help: 'this help', group: 'Do', hint: 'help'},
	quit: {keys: ['q', 'ctrl-c'], help: 'quit', group: 'Do', hint: 'quit'},
	menu: {keys: ['m'], help: 'other cluster, outage', group: 'Views', hint: 'menu'},
	faster: {keys: ['+', '='], help: 'let time pass faster', group: 'Time', hint: 'faster'},
	slower: {keys: ['-'], help: 'let time pass slower', group: 'Time', hint: 'slower'},
	later: {keys: ['.'], help: 'in a recording: 10 seconds on', group: 'Time'},
	earlier: {keys: [','], help: 'in a recording: 10 seconds back', group: 'Time'},
	muchLater: {keys: ['>'], help: 'in a recording: a minute on', group: 'Time'},
	muchEarlier: {keys: ['<'], help: 'in a recording: a minute back', group: 'Time', hint: 'minute back'},
	nextMark: {keys: [']'], help: 'in a recording: to what happens next', group: 'Time', hint: 'next event'},
	previousMark: {keys: ['['], help: 'in a recording: to what happened before', group: 'Time'},
} as const satisfies Readonly<Record<string, KeySpec>>;

export const actions = Object.keys(keyTable) as readonly KeyAction[];

export const specOf = (action: KeyAction): KeySpec => keyTable[action];

/** The action of a key; undefined if it has none. */
export const actionOf = (key: string): KeyAction | undefined =>
	actions.find((action) => specOf(action).keys.includes(key));
