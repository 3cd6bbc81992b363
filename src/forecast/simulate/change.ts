import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import type {Taint, TaintIdentity} from '../../core/model/taint.ts';
import type {Toleration} from '../../core/model/toleration.ts';
import type {Instant} from '../../core/time/instant.ts';

/** Something that is supposed to happen to the cluster at an instant, which is never before that of the forecast. */
export type Change = {readonly at: Instant} & ChangeKind;

export type ChangeKind =
	/** Its kubelet falls silent: the machine is off, or cut off. */
	| {readonly type: 'nodeDown'; readonly node: string}
	/** Its kubelet renews its lease and posts Ready again. */
	| {readonly type: 'nodeBack'; readonly node: string}
	/** The Node object goes, and with it the kubelet. */
	| {readonly type: 'deleteNode'; readonly node: string}
	| {readonly type: 'cordon'; readonly node: string; readonly unschedulable: boolean}
	| {readonly type: 'taint'; readonly node: string; readonly taint: Taint}
	/** Takes off what has this key; of this effect only, where one is given. */
	| {readonly type: 'untaint'; readonly node: string; readonly key: string; readonly effect?: Taint['effect']}
	/** Gives a pod other tolerations. The API server would only take more of them, or other seconds. */
	| {readonly type: 'tolerations'; readonly pod: string; readonly tolerations: readonly Toleration[]}
	| {readonly type: 'controllersDown'}
	/** New controllers start, in the place of those that run; with other flags, where some are given. */
	| {readonly type: 'controllersStart'; readonly settings?: Partial<ControllerSettings>};

/** The node that a change is done to; undefined where it is done to none. */
export const nodeOfChange = (change: ChangeKind): string | undefined =>
	'node' in change ? change.node : undefined;

/** Whether an untaint takes a taint off. */
export const isUntainted = (
	{key, effect}: {readonly key: string; readonly effect?: Taint['effect'] | undefined},
	taint: TaintIdentity,
): boolean => taint.key === key && (effect === undefined || taint.effect === effect);
