import {type ThemeName, themeNames} from '../theme/palette.ts';
import {specialKeys} from './keyName.ts';
import {actions, type Bindings, defaultBindings, type KeyAction} from './keyTable.ts';

export type UiConfig = {
	/** Undefined if not set: as the terminal's background. */
	readonly theme: ThemeName | undefined;
	readonly bindings: Bindings;
	/** Whether a bell and a desktop notification announce a workload that is about to reach zero. */
	readonly notify: boolean;
	/** In the format of `--time-zone`; undefined if not set. */
	readonly timeZone: string | undefined;
};

export const defaultConfig: UiConfig = {
	theme: undefined,
	bindings: defaultBindings,
	notify: false,
	timeZone: undefined,
};

/** An error in a configuration, in one line that names the place. */
class ConfigError extends Error {
	override readonly name = 'ConfigError';
}

/**
 * Reads a configuration parsed from YAML: `theme`, `timeZone`, `notify`, and `keys` by action, each a key or a list.
 *
 * @throws ConfigError if a value is invalid
 */
export function readConfig(value: unknown): UiConfig {
	if (value === null || value === undefined) return defaultConfig;
	const fields = mapOf(value, 'the file');
	const unknown = Object.keys(fields).find((name) => !['theme', 'timeZone', 'notify', 'keys'].includes(name));
	if (unknown !== undefined)
		throw new ConfigError(`unknown field "${unknown}": there are theme, timeZone, notify and keys`);
	return {
		theme: themeOf(fields['theme']),
		bindings: bindingsOf(fields['keys']),
		notify: notifyOf(fields['notify']),
		timeZone: timeZoneOf(fields['timeZone']),
	};
}

function mapOf(value: unknown, where: string): Readonly<Record<string, unknown>> {
	if (typeof value === 'object' && value !== null && !Array.isArray(value))
		return value as Record<string, unknown>;
	throw new ConfigError(`${where} must hold fields, as in "theme: dark"`);
}

function themeOf(value: unknown): ThemeName | undefined {
	if (value === undefined) return undefined;
	const theme = themeNames.find((name) => name === value);
	if (theme) return theme;
	throw new ConfigError(`theme: unknown theme ${JSON.stringify(value)}: there are ${themeNames.join(', ')}`);
}

function notifyOf(value: unknown = false): boolean {
	if (typeof value === 'boolean') return value;
	throw new ConfigError('notify must be true or false');
}

function timeZoneOf(value: unknown): string | undefined {
	if (value === undefined || typeof value === 'string') return value;
	throw new ConfigError('timeZone must be text, as in "timeZone: Europe/Berlin"');
}

function bindingsOf(value: unknown): Bindings {
	if (value === undefined || value === null) return defaultBindings;
	const chosen = Object.entries(mapOf(value, 'keys')).map(
		([name, keys]) => [actionNamed(name), keysOf(name, keys)] as const,
	);
	const bindings: Bindings = {...defaultBindings, ...Object.fromEntries(chosen)};
	// Chosen keys override the defaults of other actions; two actions cannot have the same chosen key.
	const wanted = new Map<string, KeyAction>();
	for (const [action, keys] of chosen) {
		for (const key of keys) {
			const other = wanted.get(key);
			if (other !== undefined)
				throw new ConfigError(`keys: "${key}" is bound to both ${other} and ${action}`);
			wanted.set(key, action);
		}
	}
	const free = (action: KeyAction) =>
		bindings[action].filter((key) => (wanted.get(key) ?? action) === action);
	const result = Object.fromEntries(actions.map((action) => [action, free(action)])) as unknown as Bindings;
	if (result.quit.length === 0) throw new ConfigError('keys: quit must have a key');
	return result;
}

function actionNamed(name: string): KeyAction {
	const action = actions.find((candidate) => candidate === name);
	if (action) return action;
	throw new ConfigError(`keys: unknown action "${name}": there are ${actions.join(', ')}`);
}

function keysOf(action: string, value: unknown): readonly string[] {
	const keys: readonly unknown[] = Array.isArray(value) ? value : [value];
	return keys.map((key) => {
		const name = typeof key === 'number' ? String(key) : key;
		if (typeof name === 'string' && isKey(name)) return name;
		throw new ConfigError(
			`keys.${action}: ${JSON.stringify(key)} is no key: want one letter, ctrl-x, or one of ${specialKeys.join(', ')}`,
		);
	});
}

const isKey = (name: string): boolean =>
	[...name].length === 1 || specialKeys.includes(name) || /^ctrl-[a-z\\\]^_]$/.test(name);
