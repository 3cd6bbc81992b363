import {withPasted} from '../src/text/pasted.ts';
import {UserError} from '../src/text/userError.ts';
import {connectionOf} from './args/connection.ts';
import type {Options} from './args/options.ts';
import {defaultTimeZone} from './args/timeZone.ts';
import {UsageError} from './args/usageError.ts';
import {commands, parseCommandLine} from './commands/commandTable.ts';
import {loadConfig} from './dashboard/uiConfig.ts';
import type {Terminal} from './output/terminal.ts';

/**
 * Runs one command line and returns the exit code. Each command imports only what it needs: help loads no transport.
 *
 * @throws UserError where the command line, the cluster or a file is at fault.
 */
export async function run(argv: readonly string[], terminal: Terminal) {
	const [first, ...words] = argv;
	if (first === '__complete') return completeLine(words, terminal);
	const config = await loadConfig((text) => terminal.printError(text));
	const timeZone = config?.timeZone ?? defaultTimeZone(process.env, process.stdout.isTTY === true);
	let options: Options | undefined;
	try {
		options = {...parseCommandLine(await withFlagsOfFile(argv), timeZone), config};
		await checkTemplate(options);
		return await commands.of(options.command).run(options, terminal);
	} catch (error) {
		throw hinted(error, argv, options);
	}
}

/** Adds to an error a hint with the command as typed and the cluster that was asked. */
function hinted(error: unknown, argv: readonly string[], options: Options | undefined): unknown {
	if (error instanceof UsageError)
		return new UsageError(error.message, options ? options.command : commandIn(argv));
	if (!(error instanceof UserError) || !options) return error;
	return new UserError(error.message, withPasted(error.hint, connectionOf(options)), {cause: error});
}

/** The command in a line that does not parse, as far as it can be found. */
function commandIn(argv: readonly string[]): string | undefined {
	const word = argv.find((one) => !one.startsWith('-') && one !== 'get');
	return word === undefined ? undefined : commands.find(word);
}

// YAML is loaded only if the line names a file.
async function withFlagsOfFile(argv: readonly string[]): Promise<readonly string[]> {
	if (!argv.some((word) => word.startsWith('--config'))) return argv;
	const {withConfigFile} = await import('./args/configFile.ts');
	return withConfigFile(argv);
}

/** Answers shells and kubectl. Not in the help, as people do not call it. */
async function completeLine(words: readonly string[], terminal: Terminal) {
	const [{complete}, {findNames, patienceOf}] = await Promise.all([
		import('./completion/complete.ts'),
		import('./completion/clusterNames.ts'),
	]);
	// The deadline counts from the start of the process.
	const deadline = patienceOf(process.env);
	return complete(words, terminal, (source, line) => findNames(source, line, deadline - performance.now()));
}

// A malformed template fails before the cluster is asked.
async function checkTemplate(options: Options) {
	if (options.template === '' || options.output === 'table') return;
	const {documentPrinter, isDocumentFormat} = await import('./output/documentPrinter.ts');
	if (isDocumentFormat(options.output)) await documentPrinter(options.output, options);
}
