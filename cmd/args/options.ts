import type {FieldMatcher} from '../../src/core/selector/fieldSelector.ts';
import type {LabelMatcher} from '../../src/core/selector/labelSelector.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import type {TimeZone} from '../../src/dates/timeZone.ts';
import type {CommandName} from './commandTable.ts';
import type {ControllerOptions} from './controllerOptions.ts';
import type {FlagValues} from './flagValues.ts';

/** How objects are printed; `table` where nothing else was asked for. */
export type OutputFormat = 'table' | 'wide' | 'name' | DocumentFormat | PageFormat;

/** Forms of a page that people read. */
export type PageFormat = 'markdown' | 'html';

/** Forms that are made of the JSON contract. */
export type DocumentFormat =
	| 'json'
	| 'yaml'
	| 'kyaml'
	| 'jsonpath'
	| 'jsonpath-as-json'
	| 'jsonpath-file'
	| 'go-template'
	| 'go-template-file'
	| 'custom-columns'
	| 'custom-columns-file';

/** Which objects are shown. */
export type Filter = {
	readonly names: readonly string[];
	readonly allNamespaces: boolean;
	readonly labels: LabelMatcher;
	readonly fields: FieldMatcher;
	/** Whether objects that are well are shown too. */
	readonly all: boolean;
};

/** A command line, understood. */
export type Options = {
	/** Undefined where only `kubectl evictwatch` was said. */
	readonly command: CommandName | undefined;
	/** What follows the command. */
	readonly names: readonly string[];
	readonly filter: Filter;
	readonly output: OutputFormat;
	/** What the format is told: a template, the columns, or the file that holds them. Empty where it takes nothing. */
	readonly template: string;
	readonly showHeaders: boolean;
	readonly watch: boolean;
	readonly exitCode: boolean;
	/** Dumps or a recording to read instead of a cluster; empty for a cluster. */
	readonly filenames: readonly string[];
	/** The instant to forecast at; only with a file. */
	readonly at: Instant | undefined;
	/** In which people read times, and write those without an offset. */
	readonly timeZone: TimeZone;
	readonly controller: ControllerOptions;
	readonly flags: FlagValues;
};
