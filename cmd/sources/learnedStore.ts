import {mkdir, readFile, rename, writeFile} from 'node:fs/promises';
import {homedir} from 'node:os';
import {dirname, isAbsolute, join} from 'node:path';
import {fieldsOf} from '../../src/cluster/codec/rawJson.ts';
import {parseVersion} from '../../src/core/model/versionProfile.ts';
import {beginningOfTime, type Instant, minute} from '../../src/core/time/instant.ts';
import type {
	LearnableKey,
	LearnedSetting,
	LearnedSettings,
} from '../../src/forecast/settings/learned/learnedSetting.ts';

/** The parts of the process's environment that are needed here. */
export type StateEnvironment = {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly platform: NodeJS.Platform;
	readonly homeDirectory: string;
};

const systemEnvironment = (): StateEnvironment => ({
	env: process.env,
	platform: process.platform,
	homeDirectory: homedir(),
});

const keys: readonly LearnableKey[] = [
	'nodeMonitorPeriod',
	'nodeMonitorGracePeriod',
	'nodeEvictionRate',
	'unhealthyZoneThreshold',
	'kubeApiQps',
];

/** The file of learned settings of a cluster; undefined for an invalid UID. */
export function learnedFile(
	uid: string,
	{env, platform, homeDirectory}: StateEnvironment,
): string | undefined {
	// The UID comes from a server and becomes part of a path.
	if (!/^[\da-zA-Z][\w-]{0,63}$/.test(uid)) return undefined;
	const chosen = platform === 'win32' ? env['LOCALAPPDATA'] : env['XDG_STATE_HOME'];
	const usual = platform === 'win32' ? ['AppData', 'Local'] : ['.local', 'state'];
	const folder = chosen && isAbsolute(chosen) ? chosen : join(homeDirectory, ...usual);
	return join(folder, 'evictwatch', `${uid}.json`);
}

/** Settings learned of a cluster under the same release; empty if the file cannot be read. */
export async function loadLearned(
	uid: string | undefined,
	version: string | undefined,
	environment = systemEnvironment(),
): Promise<LearnedSettings> {
	const file = uid === undefined ? undefined : learnedFile(uid, environment);
	if (file === undefined) return {};
	try {
		const {release, learned} = JSON.parse(await readFile(file, 'utf8'));
		return release === releaseOf(version) ? soundLearned(learned) : {};
	} catch {
		return {};
	}
}

/** Saves learned settings; ignores errors. */
export async function saveLearned(
	uid: string | undefined,
	version: string | undefined,
	learned: LearnedSettings,
	environment = systemEnvironment(),
): Promise<void> {
	const file = uid === undefined ? undefined : learnedFile(uid, environment);
	if (file === undefined || Object.keys(learned).length === 0) return;
	try {
		await mkdir(dirname(file), {recursive: true, mode: 0o700});
		// A rename, so that readers never see a partial file.
		const part = `${file}.${process.pid}`;
		await writeFile(part, `${JSON.stringify({release: releaseOf(version), learned}, null, '\t')}\n`, {
			mode: 0o600,
		});
		await rename(part, file);
	} catch {
		// They are learned again next time.
	}
}

/** Saves learned settings as they change, at most once a minute. */
export function keeperOf(
	uid: string | undefined,
	version: string | undefined,
	clock: () => Instant,
	environment = systemEnvironment(),
): (learned: LearnedSettings) => void {
	let kept = '{}';
	let keptAt = beginningOfTime;
	return (learned) => {
		const text = JSON.stringify(learned);
		const now = clock();
		if (text === kept || now - keptAt < minute) return;
		[kept, keptAt] = [text, now];
		void saveLearned(uid, version, learned, environment);
	};
}

// Another release may have other defaults.
const releaseOf = (version: string | undefined): string =>
	(version === undefined ? undefined : parseVersion(version))?.join('.') ?? '';

/** The valid learned settings in a parsed file. */
export function soundLearned(value: unknown): LearnedSettings {
	const fields = fieldsOf<Record<string, unknown>>(value);
	return Object.fromEntries(
		keys.flatMap((key) => (isLearnedSetting(fields[key]) ? [[key, fields[key]] as const] : [])),
	);
}

function isLearnedSetting(value: unknown): value is LearnedSetting {
	const {range, parts = [range], observations} = fieldsOf<LearnedSetting>(value);
	if (!Array.isArray(parts) || !Array.isArray(observations)) return false;
	return [range, ...parts].every(isRange) && observations.every((text) => typeof text === 'string');
}

function isRange(value: unknown): boolean {
	if (!Array.isArray(value) || value.length !== 2) return false;
	const [lo, hi] = value;
	return typeof lo === 'number' && (hi === null || (typeof hi === 'number' && hi >= lo));
}
