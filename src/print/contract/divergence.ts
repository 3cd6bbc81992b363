import type {Instant} from '../../core/time/instant.ts';
import type {ActionKind, ActionObject} from '../../forecast/ledger/controllerAction.ts';
import type {Range} from '../../forecast/range.ts';
import type {PrintedJson} from './common.ts';

/** One action of the controllers that differed from the prediction; a new document is printed whenever it changes. */
export type DivergenceJson = PrintedJson<
	'Divergence',
	/** `id` identifies the action on the object, even after a restart of the shadow. */
	{readonly id: string}
> & {
	/** `Late`, `Early`: outside its range. `Missing`: its range is over. `Unexpected`: not predicted. */
	readonly type: 'Late' | 'Early' | 'Missing' | 'Unexpected';
	/** `DeletePod`: for a taint of its node. `DeletePodForDevice`: of its device. `CollectPod`: by the pod garbage collector, because its node is gone. */
	readonly action: ActionKind;
	readonly object: ActionObject;
	/** `region/zone`; a missing one is `<none>`. */
	readonly zone: string;
	/** Null if it was not predicted. */
	readonly expected: Range | null;
	/** Null until it happens. */
	readonly actual: Instant | null;
	readonly reason:
		| 'ControllerDown'
		| 'ControllerRestarted'
		| 'DeletionDenied'
		| 'ForeignTaint'
		| 'ObservationGap'
		| 'Unexplained';
	/** For people, one sentence each. */
	readonly because: readonly string[];
	/** Whether to raise an alert. False if an observation gap could explain it. */
	readonly alarm: boolean;
	readonly noticedAt: Instant;
	/** When it ended; null while it lasts. */
	readonly endedAt: Instant | null;
};
