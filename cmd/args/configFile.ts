import {readFileSync} from 'node:fs';
import {parse} from 'yaml';
import {messageOf, UserError} from '../../src/text/userError.ts';
import type {FlagTable} from './flagSpec.ts';
import {type FlagPair, readArguments} from './kubectlGrammar.ts';

/**
 * A command line with the flags that the file of its `--config` names and it does not.
 *
 * @param table the flags that there are
 * @throws UserError where the file cannot be read, or holds what is no flag.
 */
export function withConfigFile(argv: readonly string[], table: FlagTable): readonly string[] {
	const given = new Map(readArguments(argv, table).flags);
	const file = given.get('config');
	if (file === undefined) return argv;
	const added = flagsOfFile(file, table).filter(([name]) => !given.has(name));
	return [...added.map(([name, value]) => `--${name}=${value}`), ...argv];
}

function flagsOfFile(file: string, table: FlagTable): readonly FlagPair[] {
	const wrong: Wrong = (why, hint = 'want flags by their names: "listen: :8080"') =>
		new UserError(`${file}: ${why}`, hint);
	let values: unknown;
	try {
		values = parse(readFileSync(file, 'utf8'));
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
			return readFlag(name, String(one), table, wrong);
		});
	});
}

/** What is wrong with the file, and what to do. */
type Wrong = (why: string, hint?: string) => UserError;

/** Reads a flag as a command line does, with all that is checked there. */
function readFlag(name: string, value: string, table: FlagTable, wrong: Wrong): FlagPair {
	try {
		const [flag] = readArguments([`--${name}=${value}`], table).flags;
		if (flag?.[0] === name) return flag;
	} catch (error) {
		throw wrong(messageOf(error), error instanceof UserError ? error.hint : undefined);
	}
	throw wrong(`${JSON.stringify(name)} is no flag`);
}
