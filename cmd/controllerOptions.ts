import {clientLimit} from '../src/core/client/clientLimit.ts';
import type {Problem} from '../src/core/model/clusterSnapshot.ts';
import {
	type ControllerSettings,
	defaultSettings,
	parseVersion,
} from '../src/core/model/controllerSettings.ts';
import {parseGoDuration} from '../src/core/model/goValues.ts';
import type {Duration} from '../src/core/time/instant.ts';
import type {FlagValues} from './flagValues.ts';
import {invalidValue} from './usageError.ts';

/** What the command line says of the controllers; what it leaves out is found out. */
export type ControllerOptions = {
	readonly kubernetesVersion: string | undefined;
	readonly settings: Partial<ControllerSettings>;
	/** What values mean that are not what they seem. */
	readonly notes: readonly Problem[];
};

/** Reads the flags of kube-controller-manager. */
export function controllerOptions(flags: FlagValues): ControllerOptions {
	const version = flags.kubernetesVersion;
	if (version !== undefined && !parseVersion(version)) {
		throw invalidValue('kubernetes-version', version, 'want a version such as v1.36.3');
	}
	const {limit, notes} = apiLimit(flags);
	return {
		kubernetesVersion: version,
		notes,
		settings: {
			...given('nodeMonitorPeriod', positive('node-monitor-period', flags.nodeMonitorPeriod)),
			...given('nodeStartupGracePeriod', duration('node-startup-grace-period', flags.nodeStartupGracePeriod)),
			...given('nodeMonitorGracePeriod', duration('node-monitor-grace-period', flags.nodeMonitorGracePeriod)),
			...given('nodeEvictionRate', number('node-eviction-rate', flags.nodeEvictionRate)),
			...given(
				'secondaryNodeEvictionRate',
				number('secondary-node-eviction-rate', flags.secondaryNodeEvictionRate),
			),
			...given(
				'largeClusterSizeThreshold',
				integer('large-cluster-size-threshold', flags.largeClusterSizeThreshold),
			),
			...given('unhealthyZoneThreshold', number('unhealthy-zone-threshold', flags.unhealthyZoneThreshold)),
			...limit,
		},
	};
}

type ApiLimit = Partial<Pick<ControllerSettings, 'kubeApiQps' | 'kubeApiBurst'>>;

/** The limit of the controllers' calls, as kube-controller-manager takes the two flags together. */
function apiLimit(flags: FlagValues): {readonly limit: ApiLimit; readonly notes: readonly Problem[]} {
	const isUnlimited = flags.kubeApiQps?.startsWith('-') === true;
	const text = isUnlimited ? flags.kubeApiQps?.slice(1) : flags.kubeApiQps;
	const size = number('kube-api-qps', text);
	const qps = size === undefined || !isUnlimited ? size : -size;
	const burst = integer('kube-api-burst', flags.kubeApiBurst);
	const limit = clientLimit(qps ?? defaultSettings.kubeApiQps, burst ?? defaultSettings.kubeApiBurst);
	if (!limit) {
		throw invalidValue(
			'kube-api-burst',
			flags.kubeApiBurst ?? '',
			'kube-controller-manager does not start with it',
		);
	}
	const meaning = qps === 0 ? `${limit.qps} calls a second, the client's own default` : undefined;
	return {
		limit: {
			...(qps !== undefined && {kubeApiQps: limit.qps}),
			...((burst !== undefined || qps === 0) && {kubeApiBurst: limit.burst}),
		},
		notes: meaning
			? [{reason: 'SettingUnusual', message: `--kube-api-qps=0 means ${meaning}; no limit is -1`}]
			: [],
	};
}

const given = <Key extends keyof ControllerSettings>(key: Key, value: ControllerSettings[Key] | undefined) =>
	value === undefined ? {} : {[key]: value};

function duration(flag: string, text: string | undefined): Duration | undefined {
	if (text === undefined) return undefined;
	try {
		const value = parseGoDuration(text);
		if (value >= 0) return value;
	} catch (error) {
		throw invalidValue(flag, text, error instanceof Error ? error.message : String(error));
	}
	throw invalidValue(flag, text, 'must not be negative');
}

// A controller that looks without a pause would never let virtual time go on.
function positive(flag: string, text: string | undefined): Duration | undefined {
	const value = duration(flag, text);
	if (value !== undefined && value < 1) throw invalidValue(flag, text ?? '', 'must be at least 1ms');
	return value;
}

function number(flag: string, text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	if (!/^\+?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)) {
		throw invalidValue(flag, text, 'want a number that is not negative');
	}
	return Number(text);
}

function integer(flag: string, text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	if (!/^\+?\d+$/.test(text)) throw invalidValue(flag, text, 'want a whole number that is not negative');
	return Number(text);
}
