import type {IntOrPercent} from '../model/repairObject.ts';

/**
 * The number of nodes of a number or a percentage; undefined if it is neither.
 *
 * @upstream github.com/openshift/machine-api-operator v0.2.1-0.20260226113419-88465550a74b pkg/controller/machinehealthcheck/machinehealthcheck_controller.go getValueFromIntOrPercent
 */
export function scaledValue(value: IntOrPercent, total: number, round: 'up' | 'down'): number | undefined {
	if (typeof value === 'number') return value;
	const [, digits, percent] = /^([+-]?\d+)(%?)$/.exec(value) ?? [];
	if (digits === undefined) return undefined;
	if (percent === '') return Number(digits);
	const part = (Number(digits) * total) / 100;
	return round === 'up' ? Math.ceil(part) : Math.floor(part);
}

/** The bounds of an unhealthyRange: `[3-5]`; undefined if it is invalid. */
function rangeOf(text: string): readonly [number, number] | undefined {
	const [, from, to] = /^\[(\d+)-(\d+)\]$/.exec(text) ?? [];
	return from === undefined || to === undefined ? undefined : [Number(from), Number(to)];
}

/** Whether a limit allows repairs, with `unhealthy` of `total` nodes unhealthy. */
export type RepairLimit = (unhealthy: number, total: number) => boolean;

/**
 * Karpenter's limit: a fifth of a pool, rounded up, so that a small pool always allows one repair.
 *
 * @upstream sigs.k8s.io/karpenter v1.14.1 pkg/controllers/node/health/controller.go areNodesHealthy
 */
export const karpenterLimit: RepairLimit = (unhealthy, total) => unhealthy <= Math.ceil((20 * total) / 100);

/**
 * The limit of a MachineHealthCheck; percentages are rounded down. An unreadable limit allows nothing.
 *
 * @upstream sigs.k8s.io/cluster-api v1.14.2 core/reconcilers/machinehealthcheck/machinehealthcheck_controller.go isAllowedRemediation
 */
export const machineLimit =
	(maxUnhealthy: IntOrPercent, unhealthyRange: string | undefined): RepairLimit =>
	(unhealthy, total) => {
		if (unhealthyRange !== undefined) {
			const [from, to] = rangeOf(unhealthyRange) ?? [Number.POSITIVE_INFINITY, 0];
			return unhealthy >= from && unhealthy <= to;
		}
		const most = scaledValue(maxUnhealthy, total, 'down');
		return most !== undefined && unhealthy <= Math.max(0, most);
	};

/**
 * The limit of a NodeHealthCheck: a minimum of healthy nodes. Percentages are rounded up, even for maxUnhealthy. A
 * minimum above the number of nodes allows nothing.
 *
 * @upstream github.com/medik8s/node-healthcheck-operator v0.0.0-00010101000000-1cf0d07c01b6 internal/controller/nodehealthcheck_controller.go getMinHealthy
 */
export const nodeLimit =
	(minHealthy: IntOrPercent | undefined, maxUnhealthy: IntOrPercent | undefined): RepairLimit =>
	(unhealthy, total) => {
		if (maxUnhealthy !== undefined) {
			const most = scaledValue(maxUnhealthy, total, 'up');
			return most !== undefined && most <= total && unhealthy <= most;
		}
		const least = scaledValue(minHealthy ?? '51%', total, 'up');
		return least !== undefined && least >= 0 && total - unhealthy >= least;
	};
