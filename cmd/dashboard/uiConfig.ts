import {isAbsolute, join} from 'node:path';
import {readTextFile} from '../../src/async/readTextFile.ts';
import {type Environment, systemEnvironment} from '../../src/cluster/access/environment.ts';
import type {TimeZone} from '../../src/dates/timeZone.ts';
import {codeOf, messageOf} from '../../src/text/userError.ts';
import type {UiConfig} from '../../src/ui/state/config.ts';
import {timeZoneOf} from '../args/timeZone.ts';

/** The parts of the process's environment that are needed here. */
type ConfigEnvironment = Pick<Environment, 'env' | 'platform' | 'homeDirectory'>;

function configFile({env, platform, homeDirectory}: ConfigEnvironment): string {
	const chosen = platform === 'win32' ? env['APPDATA'] : env['XDG_CONFIG_HOME'];
	const usual =
		platform === 'win32' ? join(homeDirectory, 'AppData', 'Roaming') : join(homeDirectory, '.config');
	return join(chosen && isAbsolute(chosen) ? chosen : usual, 'evictwatch', 'config.yaml');
}

/** The user's configuration, if any. A default file that cannot be read is reported and ignored, as with kubectl's kuberc. */
export async function loadConfig(
	warn: (text: string) => Promise<void>,
	environment: ConfigEnvironment = systemEnvironment(),
): Promise<UiConfig | undefined> {
	const file = configFile(environment);
	try {
		const text = await readTextFile(file);
		// Most users have no such file, and need no YAML.
		const [{parseYaml}, {readConfig}] = await Promise.all([
			import('../../src/text/yaml.ts'),
			import('../../src/ui/state/config.ts'),
		]);
		const config = readConfig(parseYaml(text));
		return {...config, timeZone: config.timeZone === undefined ? undefined : zoneOf(config.timeZone)};
	} catch (error) {
		if (codeOf(error) !== 'ENOENT')
			await warn(`Warning: no configuration loaded from ${file}: ${messageOf(error)}\n`);
		return undefined;
	}
}

const zoneOf = (text: string): TimeZone =>
	timeZoneOf(text, (why) => new Error(`timeZone: unknown time zone ${JSON.stringify(text)}: ${why}`));
