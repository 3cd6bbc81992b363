import type {IntOrPercent} from '../model/repairObject.ts';

/**
 * How many nodes a number or a percentage stands for; undefined where it is neither.
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

/** The ends of an unhealthyRange: `[3-5]`; undefined where it is none. */
function rangeOf(text: string): readonly [number, number] | undefined {
	const [, from, to] = /^\[(\d+)-(\d+)\]$/.exec(text) ?? [];
	return from === undefined || to === undefined ? undefined : [Number(from), Number(to)];
}

/** Whether so many unhealthy nodes of so many may be repaired. */
export type RepairLimit = (unhealthy: number, total: number) => boolean;

/**
 * Karpenter's: a fifth of a pool, rounded up, so that one node of a small pool may always be repaired.
 *
 * @upstream sigs.k8s.io/karpenter v1.14.1 pkg/controllers/node/health/controller.go areNodesHealthy
 */
export const karpenterLimit: RepairLimit = (unhealthy, total) => unhealthy <= Math.ceil((20 * total) / 100);

/**
 * That of a MachineHealthCheck, rounded down. A limit that cannot be read allows nothing.
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
 * That of a NodeHealthCheck: so many must be healthy. A percentage is rounded up, also that of maxUnhealthy, and one that asks for
 * more nodes than there are allows nothing.
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
