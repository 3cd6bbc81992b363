import {type ThemeName, themeNames} from '../theme/palette.ts';

export type UiConfig = {
	/** Undefined if not set: as the terminal's background. */
	readonly theme: ThemeName | undefined;
	/** Whether a bell and a desktop notification announce a workload that is about to reach zero. */
	readonly notify: boolean;
	/** In the format of `--time-zone`; undefined if not set. */
	readonly timeZone: string | undefined;
};

export const defaultConfig: UiConfig = {
	theme: undefined,
	notify: false,
	timeZone: undefined,
};

/** An error in a configuration, in one line that names the place. */
class ConfigError extends Error {
	override readonly name = 'ConfigError';
}

/**
 * Reads a configuration parsed from YAML: `theme`, `timeZone` and `notify`.
 *
 * @throws ConfigError if a value is invalid
 */
export function readConfig(value: unknown): UiConfig {
	const {theme, timeZone, notify = defaultConfig.notify, ...others} = fieldsOf(value ?? {});
	const [unknown] = Object.keys(others);
	if (unknown !== undefined)
		throw new ConfigError(`unknown field "${unknown}": there are theme, timeZone and notify`);
	if (theme !== undefined && !isTheme(theme))
		throw new ConfigError(
			`theme: unknown theme ${JSON.stringify(theme)}: there are ${themeNames.join(', ')}`,
		);
	if (typeof notify !== 'boolean') throw new ConfigError('notify must be true or false');
	if (timeZone !== undefined && typeof timeZone !== 'string')
		throw new ConfigError('timeZone must be text, as in "timeZone: Europe/Berlin"');
	return {theme, notify, timeZone};
}

type RawConfig = Partial<Readonly<Record<keyof UiConfig, unknown>>>;

function fieldsOf(value: unknown): RawConfig {
	if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
	throw new ConfigError('the file must hold fields, as in "theme: dark"');
}

const isTheme = (value: unknown): value is ThemeName => themeNames.some((name) => name === value);
