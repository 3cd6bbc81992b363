import type {Instant} from '../../core/time/instant.ts';
import type {ActionKind, ActionObject} from '../../forecast/ledger/controllerAction.ts';
import type {Range} from '../../forecast/range.ts';
import type {PrintedJson} from './common.ts';

/** One action of the controllers that differed from the prediction; a new document is printed whenever it changes. */
export type DivergenceJson = PrintedJson<
	'Divergence',
	/** `id` identifies the action on the object, even after a restart of the shadow. */
	{readonly id: string}
> &
	Readonly<{
		/** `Late`, `Early`: outside its range. `Missing`: its range is over. `Unexpected`: not predicted. */
		type: 'Late' | 'Early' | 'Missing' | 'Unexpected';
		/** `DeletePod`: for a taint of its node. `DeletePodForDevice`: of its device. `CollectPod`: by the pod garbage collector, because its node is gone. */
		action: ActionKind;
		object: ActionObject;
		/** `region/zone`; a missing one is `<none>`. */
		zone: string;
		/** Null if it was not predicted. */
		expected: Range | null;
		/** Null until it happens. */
		actual: Instant | null;
		reason:
			| 'ControllerDown'
			| 'ControllerRestarted'
			| 'DeletionDenied'
			| 'ForeignTaint'
			| 'ObservationGap'
			| 'Unexplained';
		/** For people, one sentence each. */
		because: readonly string[];
		/** Whether to raise an alert. False if an observation gap could explain it. */
		alarm: boolean;
		noticedAt: Instant;
		/** When it ended; null while it lasts. */
		endedAt: Instant | null;
	}>;
