import type {FieldMatcher} from '../../src/core/selector/fieldSelector.ts';
import type {LabelMatcher} from '../../src/core/selector/labelSelector.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import type {TimeZone} from '../../src/dates/timeZone.ts';
import type {UiConfig} from '../../src/ui/state/config.ts';
import type {CommandName} from './commandSet.ts';
import type {ControllerOptions} from './controllerOptions.ts';
import type {connectionFlags} from './flagGroups/connectionFlags.ts';
import type {generalFlags, programFlags} from './flagGroups/generalFlags.ts';
import type {listingFlags} from './flagGroups/listingFlags.ts';
import type {playingFlags, screenFlags} from './flagGroups/screenFlags.ts';
import type {shadowFlags} from './flagGroups/shadowFlags.ts';
import type {whatIfFlags} from './flagGroups/whatIfFlags.ts';
import type {FlagSpec, ValuesOf} from './flagSpec.ts';
import type {OutputFormat} from './outputFormat.ts';
import type {ListedKind, NamedTarget} from './targets.ts';

/** The values of the flags that several commands take, or that are read by more than the command itself. */
export type FlagValues = ValuesOf<
	typeof listingFlags &
		typeof whatIfFlags &
		typeof shadowFlags &
		typeof playingFlags &
		typeof screenFlags &
		typeof generalFlags &
		typeof programFlags &
		typeof connectionFlags
>;

/** Which objects are shown. */
export type Filter = {
	readonly names: readonly string[];
	/** Of pods: whose pods are meant, besides those that are named. */
	readonly owners: readonly NamedTarget[];
	readonly allNamespaces: boolean;
	readonly labels: LabelMatcher;
	readonly fields: FieldMatcher;
	/** The verdicts that are shown, as they were typed; empty for the usual ones. */
	readonly verdicts: readonly string[];
	/** Whether objects that are well are shown too. */
	readonly all: boolean;
};

/** A command line, understood; with the flags that one command alone takes. */
export type Options<Own = Record<never, FlagSpec>> = {
	/** Undefined where only `kubectl evictwatch` was said. */
	readonly command: CommandName | undefined;
	/** What follows the command. */
	readonly names: readonly string[];
	readonly filter: Filter;
	/** What is listed, each kind with its own names: of `get pods,nodes` two. Empty where nothing is listed. */
	readonly lists: readonly {readonly kind: ListedKind; readonly filter: Filter}[];
	/** Of workloads, the kinds that are shown: `Deployment`. Empty for all. */
	readonly workloadKinds: readonly string[];
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
	/** The user's own configuration; undefined where there is none. */
	readonly config: UiConfig | undefined;
	readonly controller: ControllerOptions;
	/** What is to be printed, where help is asked for; else empty. */
	readonly help: string;
	readonly flags: FlagValues & ValuesOf<Own>;
};
