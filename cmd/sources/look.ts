import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import type {KubeletConfig} from '../../src/core/model/kubeletConfig.ts';
import type {Problem} from '../../src/core/model/problem.ts';
import type {Related, RelatedQuery} from '../../src/core/model/workloads/related.ts';
import type {KubeletReport} from '../../src/core/nodepressure/pressureLook.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {Forecaster} from '../../src/forecast/forecaster.ts';
import type {SettingsInForce} from '../../src/session/lookOnce.ts';
import type {PressureSeen} from '../../src/session/pressureStage.ts';
import type {Options} from '../args/options.ts';
import type {deletionLedger} from './deletions.ts';

/** One look at a cluster or at files, and the answers it allows. */
export type AskedScene = Readonly<{
	/** Includes all problems, also of the settings. */
	snapshot: ClusterSnapshot;
	inForce: SettingsInForce;
	forecaster: Forecaster;
	/** What happens if nothing changes. */
	forecast: Forecast;
	/** Undefined for all namespaces. */
	namespace: string | undefined;
	/** Whether only pods of nodes in trouble are known, so that pods of other nodes are not covered. */
	isPartial?: boolean;
	related: (query: RelatedQuery) => Promise<Related>;
	/** Says which part of a request does not exist, where nothing was chosen by it. */
	absence: (namespace: string | undefined) => Promise<string>;
	/**
	 * Queries the kubelets of nodes under pressure and of those named; for a recording, returns the recorded reports.
	 */
	pressure: (named?: ReadonlySet<string>) => Promise<PressureSeen>;
}>;

/** The same, with what only lists and settings ask for. */
export type Look = AskedScene &
	Readonly<{
		/** The time now: of files, that of the look. */
		now: () => Instant;
		/** What kubelets reported in the last hour. */
		reports: () => Promise<{
			readonly reports: readonly KubeletReport[];
			readonly problems: readonly Problem[];
		}>;
		/** The deletions that a recording shows, each beside its prediction; absent if they are not asked for. */
		deletions?: ReturnType<typeof deletionLedger> | undefined;
		/** Reads the configuration of a kubelet; undefined for files. */
		kubelet: (node: string) => Promise<KubeletConfig | undefined>;
	}>;

/** The namespace in scope; undefined for all, as without a command, which shows what the dashboard would. */
export const scopeOf = ({command, filter, flags}: Options, own: string | undefined): string | undefined =>
	filter.allNamespaces || (command === undefined && flags.namespace === undefined) ? undefined : own;
