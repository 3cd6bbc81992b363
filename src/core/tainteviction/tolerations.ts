import {minOf} from '../collections/extremes.ts';
import type {Taint} from '../model/taint.ts';
import {type Toleration, toleratesTaint} from '../model/toleration.ts';
import {type Duration, second} from '../time/instant.ts';

const maxInt64 = 2n ** 63n - 1n;

/**
 * The first toleration that matches each taint; undefined if a taint is not tolerated.
 *
 * @upstream kubernetes v1.36.3 pkg/apis/core/v1/helper/helpers.go GetMatchingTolerations
 */
export function matchingTolerations(
	taints: readonly Taint[],
	tolerations: readonly Toleration[],
	comparisonOperators: boolean,
): readonly Toleration[] | undefined {
	const used: Toleration[] = [];
	for (const taint of taints) {
		const match = tolerations.find((toleration) => toleratesTaint(toleration, taint, comparisonOperators));
		if (!match) return undefined;
		used.push(match);
	}
	return used;
}

/**
 * How long taints are tolerated: the minimum of the tolerations' seconds; undefined for forever.
 *
 * @quirk zero and negative seconds mean at once, and so does an empty list
 * @quirk seconds that overflow int64 nanoseconds wrap: to a time that is too short, or for ever where negative
 * @upstream kubernetes v1.36.3 pkg/controller/tainteviction/taint_eviction.go getMinTolerationTime
 */
export function minTolerationTime(tolerations: readonly Toleration[]): Duration | undefined {
	if (tolerations.length === 0) return 0;
	const limits = tolerations.flatMap(({tolerationSeconds}) => tolerationSeconds ?? []);
	const least = Math.max(0, minOf(limits));
	// A JSON number rounds the largest int64 up.
	if (limits.length === 0 || least >= Number(maxInt64)) return undefined;
	if (least <= mostSeconds) return least * second;
	const nanoseconds = BigInt.asIntN(64, BigInt(Math.trunc(least)) * 1_000_000_000n);
	return nanoseconds < 0n ? undefined : Number(nanoseconds / 1_000_000n);
}

/** More seconds do not fit into int64 nanoseconds. */
const mostSeconds = 9_223_372_036;
