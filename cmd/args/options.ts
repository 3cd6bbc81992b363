import type {FieldMatcher} from '../../src/core/selector/fieldSelector.ts';
import type {LabelMatcher} from '../../src/core/selector/labelSelector.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import type {TimeZone} from '../../src/dates/timeZone.ts';
import type {UiConfig} from '../../src/ui/state/config.ts';
import type {CommandName} from './commandSet.ts';
import type {ControllerOptions} from './controllerOptions.ts';
import type {allFlags} from './flagGroups/commandFlags.ts';
import type {ValuesOf} from './flagSpec.ts';
import type {OutputFormat} from './outputFormat.ts';
import type {ListedKind, NamedTarget} from './targets.ts';

/** The values of all flags: a name has one meaning everywhere. */
export type FlagValues = ValuesOf<typeof allFlags>;

export type Filter = Readonly<{
	names: readonly string[];
	/** The workloads, nodes and zones whose pods are shown, besides named pods. */
	owners: readonly NamedTarget[];
	allNamespaces: boolean;
	labels: LabelMatcher;
	fields: FieldMatcher;
	/** The chosen verdicts as typed; empty for the default ones. */
	verdicts: readonly string[];
	/** Whether to show healthy objects too. */
	all: boolean;
}>;

/** A parsed command line. */
export type Options = Readonly<{
	/** Undefined for plain `kubectl evictwatch`. */
	command: CommandName | undefined;
	/** The arguments after the command. */
	names: readonly string[];
	filter: Filter;
	/** The kinds to list, each with its names: two for `get pods,nodes`; empty for other commands. */
	lists: readonly {readonly kind: ListedKind; readonly filter: Filter}[];
	/** The kinds of workloads to show: `Deployment`. Empty for all. */
	workloadKinds: readonly string[];
	output: OutputFormat;
	/** A template, columns, or the file that holds them; empty if the format takes nothing. */
	template: string;
	showHeaders: boolean;
	watch: boolean;
	exitCode: boolean;
	/** Dumps or a recording to read instead of a cluster; empty for a cluster. */
	filenames: readonly string[];
	/** The instant to forecast at; only with a file. */
	at: Instant | undefined;
	/** The time zone for output, and for times without an offset. */
	timeZone: TimeZone;
	/** The user's configuration; undefined if there is none. */
	config: UiConfig | undefined;
	controller: ControllerOptions;
	/** The help text if help is asked for; else empty. */
	help: string;
	flags: FlagValues;
}>;
