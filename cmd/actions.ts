import type {CommandName} from './args/commandTable.ts';
import type {Options} from './args/options.ts';
import type {Terminal} from './output/terminal.ts';

/** Carries a command out, and answers with the exit code. */
type Action = (options: Options, terminal: Terminal) => Promise<number>;

/** Loads what carries out a command, or what runs where none is named. */
export type ActionOf = (command: CommandName | undefined) => Promise<Action>;

/** What loads each command, and nothing before: help waits for no transport. */
const loaders: Readonly<Record<CommandName, () => Promise<Action>>> = {
	pods: async () => (await import('./output/list.ts')).list,
	nodes: async () => (await import('./output/list.ts')).list,
	zones: async () => (await import('./output/list.ts')).list,
	explain: async () => (await import('./questions/explain.ts')).explain,
	'what-if': async () => (await import('./questions/whatIf.ts')).whatIf,
	rescue: async () => (await import('./questions/rescue.ts')).rescue,
	pressure: async () => (await import('./pressure/pressureReport.ts')).pressure,
	settings: async () => (await import('./output/showSettings.ts')).showSettings,
	record: async () => (await import('./recording/record.ts')).record,
	replay: async () => (await import('./recording/replay.ts')).replay,
	report: async () => (await import('./recording/report.ts')).report,
	shadow: async () => (await import('./shadow/followShadow.ts')).shadow,
	demo: async () => (await import('./demo/demo.ts')).demo,
	completion: async () => (await import('./completion/completion.ts')).printCompletion,
	version: async () => (await import('./output/version.ts')).printVersion,
	options: async () => (await import('./args/helpText.ts')).printOptions,
	help: async () => (await import('./args/helpText.ts')).printHelp,
};

/** Every command, each loaded when it is asked for. */
export const actionOf: ActionOf = async (command) => {
	if (command !== undefined) return loaders[command]();
	return (await import('./dashboard/dashboardOrList.ts')).dashboardOrList;
};
