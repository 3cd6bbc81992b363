import {readTextFile} from '../../src/async/readTextFile.ts';
import {messageOf, UserError} from '../../src/text/userError.ts';
import {parseYaml} from '../../src/text/yaml.ts';
import {type FlagPair, readArguments} from './kubectlGrammar.ts';

/**
 * Adds the flags of the `--config` file that the command line does not give.
 *
 * @throws UserError if the file cannot be read or holds anything but flags
 */
export async function withConfigFile(argv: readonly string[]): Promise<readonly string[]> {
	const given = new Map(readArguments(argv).flags);
	const file = given.get('config');
	if (file === undefined) return argv;
	const added = (await flagsOfFile(file)).filter(([name]) => !given.has(name));
	return [...added.map(([name, value]) => `--${name}=${value}`), ...argv];
}

async function flagsOfFile(file: string): Promise<readonly FlagPair[]> {
	const wrong: Wrong = (why, hint = 'want flags by their names: "listen: :8080"') =>
		new UserError(`${file}: ${why}`, hint);
	let values: unknown;
	try {
		values = parseYaml(await readTextFile(file));
	} catch (error) {
		throw wrong(messageOf(error));
	}
	if (values === null) return [];
	if (typeof values !== 'object' || Array.isArray(values)) throw wrong('it holds no mapping');
	return Object.entries(values).flatMap(([name, value]) => {
		if (name === 'config') throw wrong('a file cannot name another');
		const all = Array.isArray(value) ? value : [value];
		return all.map((one): FlagPair => {
			if (!['string', 'number', 'boolean'].includes(typeof one)) throw wrong(`${name} has no plain value`);
			return readFlag(name, String(one), wrong);
		});
	});
}

/** Makes an error about the file, with a hint. */
type Wrong = (why: string, hint?: string) => UserError;

/** Parses a flag with the checks of a command line. */
function readFlag(name: string, value: string, wrong: Wrong): FlagPair {
	try {
		const [flag] = readArguments([`--${name}=${value}`]).flags;
		if (flag?.[0] === name) return flag;
	} catch (error) {
		throw wrong(messageOf(error), error instanceof UserError ? error.hint : undefined);
	}
	throw wrong(`${JSON.stringify(name)} is no flag`);
}
