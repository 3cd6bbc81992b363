import type {ApiVersion, RangeJson, TimestampJson} from './common.ts';

/** One action of the controllers that was not as predicted; one document each time that something of it is new. */
export type DivergenceJson = {
	readonly apiVersion: ApiVersion;
	readonly kind: 'Divergence';
	/** `id` is the same for the same action of the same object, also after a restart of the shadow. */
	readonly metadata: {readonly id: string};
	/** `Late`, `Early`: outside of its range. `Missing`: its range is over. `Unexpected`: nothing had predicted it. */
	readonly type: 'Late' | 'Early' | 'Missing' | 'Unexpected';
	/** `DeletePod`: for a taint of its node. `DeletePodForDevice`: for one of its device. `CollectPod`: by the pod garbage collector, as its node is gone. */
	readonly action:
		| 'SetUnknown'
		| 'TaintNode'
		| 'UntaintNode'
		| 'DeletePod'
		| 'DeletePodForDevice'
		| 'CollectPod';
	readonly object: {
		readonly kind: 'Node' | 'Pod';
		readonly namespace?: string;
		readonly name: string;
		readonly uid: string;
	};
	/** `region/zone`; a missing one is `<none>`. */
	readonly zone: string;
	/** Null where nothing predicted it. */
	readonly expected: RangeJson | null;
	/** Null while it has not come. */
	readonly actual: TimestampJson | null;
	readonly reason:
		| 'ControllerDown'
		| 'ControllerRestarted'
		| 'Throttled'
		| 'OtherSetting'
		| 'DeletionDenied'
		| 'ForeignTaint'
		| 'KnownBug'
		| 'ObservationGap'
		| 'Unexplained';
	/** For people, one sentence each. */
	readonly because: readonly string[];
	/** The value of a flag of kube-controller-manager that would explain it; null where none would. */
	readonly explainedBy: string | null;
	/** Whether somebody should be called. Never where an observation gap could explain it. */
	readonly alarm: boolean;
	readonly noticedAt: TimestampJson;
	/** When it was over; null while it lasts. */
	readonly endedAt: TimestampJson | null;
};
