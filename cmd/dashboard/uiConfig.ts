import {readFile} from 'node:fs/promises';
import {homedir} from 'node:os';
import {isAbsolute, join} from 'node:path';
import {type TimeZone, timeZoneNamed} from '../../src/dates/timeZone.ts';
import {codeOf, messageOf} from '../../src/text/userError.ts';
import type {UiConfig} from '../../src/ui/state/config.ts';
import {unknownTimeZone} from '../args/timeZone.ts';
import type {StateEnvironment} from '../sources/learnedStore.ts';

function configFile({env, platform, homeDirectory}: StateEnvironment): string {
	const chosen = platform === 'win32' ? env['APPDATA'] : env['XDG_CONFIG_HOME'];
	const usual =
		platform === 'win32' ? join(homeDirectory, 'AppData', 'Roaming') : join(homeDirectory, '.config');
	return join(chosen && isAbsolute(chosen) ? chosen : usual, 'evictwatch', 'config.yaml');
}

/** The user's configuration, if any. A default file that cannot be read is reported and ignored, as with kubectl's kuberc. */
export async function loadConfig(
	warn: (text: string) => Promise<void>,
	environment: StateEnvironment = {env: process.env, platform: process.platform, homeDirectory: homedir()},
): Promise<UiConfig | undefined> {
	const file = configFile(environment);
	try {
		const text = await readFile(file, 'utf8');
		// Most users have no such file, and need no YAML.
		const [{parse}, {readConfig}] = await Promise.all([
			import('yaml'),
			import('../../src/ui/state/config.ts'),
		]);
		const config = readConfig(parse(text));
		return {...config, timeZone: config.timeZone === undefined ? undefined : zoneOf(config.timeZone)};
	} catch (error) {
		if (codeOf(error) !== 'ENOENT')
			await warn(`Warning: no configuration loaded from ${file}: ${messageOf(error)}\n`);
		return undefined;
	}
}

function zoneOf(text: string): TimeZone {
	const zone = timeZoneNamed(text);
	if (zone !== undefined) return zone;
	throw new Error(`timeZone: unknown time zone ${JSON.stringify(text)}: ${unknownTimeZone(text)}`);
}
