import {readFile} from 'node:fs/promises';
import {homedir} from 'node:os';
import {isAbsolute, join} from 'node:path';
import {type TimeZone, timeZoneNamed} from '../../src/dates/timeZone.ts';
import {messageOf, UserError} from '../../src/text/userError.ts';
import type {UiConfig} from '../../src/ui/state/config.ts';
import {unknownTimeZone} from '../args/timeZone.ts';
import type {StateEnvironment} from '../sources/learnedStore.ts';

/** Where the configuration of the dashboard is kept. */
export function configFile({env, platform, homeDirectory}: StateEnvironment): string {
	const chosen = platform === 'win32' ? env['APPDATA'] : env['XDG_CONFIG_HOME'];
	const usual =
		platform === 'win32' ? join(homeDirectory, 'AppData', 'Roaming') : join(homeDirectory, '.config');
	return join(chosen && isAbsolute(chosen) ? chosen : usual, 'evictwatch', 'config.yaml');
}

/** The user's configuration; undefined where there is none. @throws UserError where it cannot be understood. */
export async function loadConfig(
	environment: StateEnvironment = {env: process.env, platform: process.platform, homeDirectory: homedir()},
): Promise<UiConfig | undefined> {
	const file = configFile(environment);
	const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
		if (error.code === 'ENOENT') return undefined;
		throw new UserError(`cannot read ${file}: ${messageOf(error)}`, 'correct its permissions, or remove it');
	});
	if (text === undefined) return undefined;
	const {configOf} = await import('./configText.ts');
	try {
		const config = configOf(text);
		return {...config, timeZone: config.timeZone === undefined ? undefined : zoneOf(config.timeZone)};
	} catch (error) {
		throw new UserError(`${file}: ${messageOf(error)}`, 'correct the file, or remove it');
	}
}

function zoneOf(text: string): TimeZone {
	const zone = timeZoneNamed(text);
	if (zone !== undefined) return zone;
	throw new Error(`timeZone: unknown time zone ${JSON.stringify(text)}: ${unknownTimeZone(text)}`);
}
