import type {Pod} from '../../../core/model/pod.ts';
import {isNodeLifecycleTaint, type Taint, taintNotReady} from '../../../core/model/taint.ts';
import {type Toleration, toleratesTaint} from '../../../core/model/toleration.ts';

/** The likely origin of a toleration; no object shows it. */
type TolerationOrigin = 'DefaultTolerationSeconds' | 'DaemonSet' | 'Kubelet' | 'Author';

/** The toleration that counts for each taint, the first that matches; without an index if none does. */
export function tolerationUses(
	{tolerations}: Pick<Pod, 'tolerations'>,
	taints: readonly Taint[],
	comparisonOperators: boolean,
) {
	return taints.map((taint) => {
		const index = tolerations.findIndex((toleration) =>
			toleratesTaint(toleration, taint, comparisonOperators),
		);
		return {taint, index: index < 0 ? undefined : index, toleration: tolerations[index]};
	});
}

/**
 * The tolerationSeconds that the API server adds to pods without such tolerations, by
 * `--default-not-ready-toleration-seconds` and `--default-unreachable-toleration-seconds`; null if it adds none.
 */
export type DefaultTolerationSeconds = {
	readonly notReady: number | null;
	readonly unreachable: number | null;
};

const usualSeconds: DefaultTolerationSeconds = {notReady: 300, unreachable: 300};

/** Derives the origin of a toleration from its form and its pod. */
export function originOf(
	toleration: Toleration,
	pod: Pick<Pod, 'isMirror' | 'owner'>,
	{notReady, unreachable}: DefaultTolerationSeconds = usualSeconds,
): TolerationOrigin {
	const {key, operator, effect, tolerationSeconds} = toleration;
	const isOwnKey = isNodeLifecycleTaint({key});
	if (operator !== 'Exists' || effect !== 'NoExecute') return 'Author';
	if (isOwnKey && tolerationSeconds === (key === taintNotReady ? notReady : unreachable)) {
		return 'DefaultTolerationSeconds';
	}
	if (isOwnKey && tolerationSeconds === undefined && pod.owner?.kind === 'DaemonSet') return 'DaemonSet';
	if (key === '' && tolerationSeconds === undefined && pod.isMirror) return 'Kubelet';
	return 'Author';
}

/** What a toleration's origin means for changes of it. */
export const originWords: Readonly<Record<TolerationOrigin, string>> = {
	DefaultTolerationSeconds:
		'looks injected by the admission plugin DefaultTolerationSeconds, which acts when a pod is created and never later',
	DaemonSet: 'the DaemonSet controller gives it to each of its pods',
	Kubelet: 'the kubelet gives it to its static pods',
	Author: "the author's own",
};

/** As in `kubectl describe`. */
export function formatToleration({key, operator, value, effect, tolerationSeconds}: Toleration): string {
	const taint = `${key}${value === '' ? '' : `=${value}`}${effect === '' ? '' : `:${effect}`}`;
	const isSpelt =
		operator !== '' && operator !== 'Equal' && (operator !== 'Exists' || key === '' || value === '');
	const limit = tolerationSeconds === undefined ? '' : ` for ${tolerationSeconds}s`;
	return `${taint}${isSpelt ? `${taint === '' ? '' : ' '}op=${operator}` : ''}${limit}`;
}
