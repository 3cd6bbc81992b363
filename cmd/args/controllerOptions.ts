import {clientLimit} from '../../src/core/client/clientLimit.ts';
import type {AskedSettings, ControllerSettings} from '../../src/core/model/controllerSettings.ts';
import {parseGoBoolean} from '../../src/core/model/goValues.ts';
import type {Problem} from '../../src/core/model/problem.ts';
import {defaultSettings, parseVersion} from '../../src/core/model/versionProfile.ts';
import type {Duration} from '../../src/core/time/instant.ts';
import type {controllerFlags} from './flagGroups/controllerFlags.ts';
import {camelCase, type ValuesOf} from './flagSpec.ts';
import {duration, integer, number} from './quantities.ts';
import {invalidValue} from './usageError.ts';

type ControllerFlags = ValuesOf<typeof controllerFlags>;

/** The controller flags of the command line; the rest is discovered. */
export type ControllerOptions = {
	readonly asked: AskedSettings;
	/** Notes on values with an unexpected meaning. */
	readonly notes: readonly Problem[];
};

export function controllerOptions(flags: ControllerFlags): ControllerOptions {
	const version = flags.kubernetesVersion;
	if (version !== undefined && !/^v?\d+\.\d+(\.\d+)?([-+][\w.+-]*)?$/.test(version)) {
		throw invalidValue('kubernetes-version', version, 'want a version such as v1.36.3, or 1.20');
	}
	const [major] = (version && parseVersion(version)) || [1];
	if (major < 1) {
		throw invalidValue('kubernetes-version', version ?? '', 'there were no such controllers before v1.0');
	}
	const {limit, notes} = apiLimit(flags);
	const repeated = givenFlags(flags);
	const given = (Object.keys(readers) as (keyof typeof readers)[]).flatMap((name) => {
		const key = camelCase(name) as keyof ControllerFlags & keyof ControllerSettings;
		const value = readers[name](name, flags[key] as string | undefined);
		return value === undefined ? [] : [[key, value] as const];
	});
	return {
		asked: {
			versionFlag: version,
			...(repeated.size > 0 && {givenFlags: repeated}),
			flags: {...Object.fromEntries(given), ...limit},
		},
		notes,
	};
}

/** How the flags of one setting each are read. */
const readers = {
	'node-monitor-period': monitorPeriod,
	'node-startup-grace-period': duration,
	'node-monitor-grace-period': duration,
	'pod-eviction-timeout': duration,
	'node-eviction-rate': number,
	'secondary-node-eviction-rate': number,
	'large-cluster-size-threshold': integer,
	'unhealthy-zone-threshold': number,
} as const;

/** The flags passed on unchanged, if they are valid. */
function givenFlags({
	enableTaintManager,
	controllers,
	featureGates,
}: ControllerFlags): ReadonlyMap<string, string> {
	const isOn = enableTaintManager === '' ? 'true' : enableTaintManager;
	if (isOn !== undefined && parseGoBoolean(isOn) === undefined) {
		throw invalidValue('enable-taint-manager', isOn, 'want true or false');
	}
	for (const gate of featureGates.flatMap((text) => text.split(','))) {
		const [, name, value = ''] = /^\s*(\w+)=(.*?)\s*$/.exec(gate) ?? [];
		if (name === undefined || parseGoBoolean(value) === undefined) {
			throw invalidValue('feature-gates', gate, 'want pairs such as TaintBasedEvictions=false');
		}
	}
	const lists = [
		['controllers', controllers],
		['feature-gates', featureGates],
	] as const;
	return new Map([
		...(isOn === undefined ? [] : [['enable-taint-manager', isOn] as const]),
		...lists.flatMap(([name, values]) => (values.length === 0 ? [] : [[name, values.join(',')] as const])),
	]);
}

/** The rate limit of the controllers' requests; kube-controller-manager combines the two flags. */
function apiLimit(flags: ControllerFlags) {
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

// With a period of zero, virtual time would not advance.
function monitorPeriod(flag: string, text: string | undefined): Duration | undefined {
	const value = duration(flag, text);
	if (value !== undefined && value < 1) throw invalidValue(flag, text ?? '', 'must be at least 1ms');
	return value;
}
