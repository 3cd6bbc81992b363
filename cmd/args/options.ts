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

export type Filter = {
	readonly names: readonly string[];
	/** The workloads, nodes and zones whose pods are shown, besides named pods. */
	readonly owners: readonly NamedTarget[];
	readonly allNamespaces: boolean;
	readonly labels: LabelMatcher;
	readonly fields: FieldMatcher;
	/** The chosen verdicts as typed; empty for the default ones. */
	readonly verdicts: readonly string[];
	/** Whether to show healthy objects too. */
	readonly all: boolean;
};

/** A parsed command line. */
export type Options = {
	/** Undefined for plain `kubectl evictwatch`. */
	readonly command: CommandName | undefined;
	/** The arguments after the command. */
	readonly names: readonly string[];
	readonly filter: Filter;
	/** The kinds to list, each with its names: two for `get pods,nodes`; empty for other commands. */
	readonly lists: readonly {readonly kind: ListedKind; readonly filter: Filter}[];
	/** The kinds of workloads to show: `Deployment`. Empty for all. */
	readonly workloadKinds: readonly string[];
	readonly output: OutputFormat;
	/** A template, columns, or the file that holds them; empty if the format takes nothing. */
	readonly template: string;
	readonly showHeaders: boolean;
	readonly watch: boolean;
	readonly exitCode: boolean;
	/** Dumps or a recording to read instead of a cluster; empty for a cluster. */
	readonly filenames: readonly string[];
	/** The instant to forecast at; only with a file. */
	readonly at: Instant | undefined;
	/** The time zone for output, and for times without an offset. */
	readonly timeZone: TimeZone;
	/** The user's configuration; undefined if there is none. */
	readonly config: UiConfig | undefined;
	readonly controller: ControllerOptions;
	/** The help text if help is asked for; else empty. */
	readonly help: string;
	readonly flags: FlagValues;
};
