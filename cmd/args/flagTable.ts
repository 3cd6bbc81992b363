import {completionFlags} from '../commands/completion.ts';
import {demoFlags} from '../commands/demo.ts';
import {recordFlags} from '../commands/record.ts';
import {settingsFlags} from '../commands/settings.ts';
import {versionFlags} from '../commands/version.ts';
import {whatIfFlags} from '../commands/whatIf.ts';
import {type CommandName, commandNames, specOf} from './commandTable.ts';
import {connectionFlags} from './flagGroups/connection.ts';
import {generalFlags, programFlags} from './flagGroups/general.ts';
import {listingFlags} from './flagGroups/listing.ts';
import {playingFlags, screenFlags} from './flagGroups/screen.ts';
import {shadowFlags} from './flagGroups/shadow.ts';
import type {FlagTable} from './flagSpec.ts';

/** Every flag of every command: a name means the same wherever it is taken. A command's own flags are a row here. */
export const allFlags = {
	...listingFlags,
	...whatIfFlags,
	...settingsFlags,
	...recordFlags,
	...shadowFlags,
	...playingFlags,
	...demoFlags,
	...versionFlags,
	...completionFlags,
	...screenFlags,
	...generalFlags,
	...programFlags,
	...connectionFlags,
} as const satisfies FlagTable;

/** What every command takes: help, and where the cluster is. */
export const globalFlags: FlagTable = {...generalFlags, ...connectionFlags};

/** The flags that a command takes; those of the program where none is named. */
export const flagsOf = (command: CommandName | undefined): FlagTable => ({
	...specOf(command).flags,
	...(command === undefined && programFlags),
	...globalFlags,
});

/** The commands that take a flag. */
export const commandsWith = (flag: string): readonly CommandName[] =>
	commandNames.filter((name) => Object.hasOwn(flagsOf(name), flag));
