import {grouped} from '../../core/collections/grouped.ts';
import {type ComponentFlags, type ControlPlane, hasFlags} from '../../core/model/controlPlane.ts';
import type {KubeletConfig} from '../../core/model/kubeletConfig.ts';
import {type Lease, nodeLeaseNamespace} from '../../core/model/lease.ts';
import type {Duration} from '../../core/time/instant.ts';
import {defaultNodeLeaseDuration, renewFraction} from '../observe/nodes/renewInterval.ts';
import {formatSettingValue, type Setting, type SettingSource, sourceOfFlags} from './setting.ts';

/** What else decides when pods are evicted: from leases, the API server's static pod, and a kubelet's configz if read. */
export function otherSettings(
	leases: readonly Lease[] | undefined,
	controlPlane: ControlPlane,
	kubelet?: KubeletConfig,
) {
	const {value, source} = fromKubelet(kubelet, 'leaseDuration') ?? leaseDurationOf(leases ?? []);
	const settingOf = (key: KubeletKey, name: string): Setting | undefined => {
		const found = fromKubelet(kubelet, key);
		return found && {name, unit: 'duration', ...found};
	};
	const update = settingOf('statusUpdateFrequency', 'node-status-update-frequency');
	const report = settingOf('statusReportFrequency', 'node-status-report-frequency');
	return {
		leaseDuration: {name: 'node-lease-duration', unit: 'duration', value, source},
		renewInterval: {
			name: 'node-lease-renew-interval',
			unit: 'duration',
			value: value * renewFraction,
			source: {...source, detail: `a quarter of node-lease-duration; ${source.detail}`},
		},
		notReadyToleration: defaultToleration('default-not-ready-toleration-seconds', controlPlane),
		unreachableToleration: defaultToleration('default-unreachable-toleration-seconds', controlPlane),
		...(update && {statusUpdateFrequency: update}),
		...(report && {statusReportFrequency: report}),
	} satisfies Readonly<Record<string, Setting>>;
}

type KubeletKey = Exclude<keyof KubeletConfig, 'node'>;

function fromKubelet(kubelet: KubeletConfig | undefined, key: KubeletKey) {
	const value = kubelet?.[key];
	if (!kubelet || value === undefined) return undefined;
	const source: SettingSource = {kind: 'configz', detail: `configz of the kubelet of node ${kubelet.node}`};
	return {value, source};
}

/** The lease duration of most kubelets. */
function leaseDurationOf(leases: readonly Lease[]): {
	readonly value: Duration;
	readonly source: SettingSource;
} {
	const durations = leases
		.filter(({namespace}) => namespace === nodeLeaseNamespace)
		.flatMap(({leaseDuration}) => leaseDuration ?? []);
	const counts = grouped(durations, (duration) => duration)
		.map(([duration, all]) => ({duration, count: all.length}))
		.toSorted((a, b) => b.count - a.count || a.duration - b.duration);
	const [most, ...others] = counts;
	if (!most) {
		return {
			value: defaultNodeLeaseDuration,
			source: {kind: 'profile', detail: "kubelet's default; no node lease shows it"},
		};
	}
	const rest = others.map(({duration}) => formatSettingValue(duration, 'duration')).join(', ');
	const share = `${most.count} of ${durations.length} node leases`;
	return {
		value: most.duration,
		source: {kind: 'learned', detail: rest === '' ? share : `${share}; others have ${rest}`},
	};
}

const admissionPlugin = 'DefaultTolerationSeconds';

function defaultToleration(
	name: `default-${'not-ready' | 'unreachable'}-toleration-seconds`,
	{apiServer}: ControlPlane,
): Setting {
	const setting = {name, unit: 'seconds'} as const;
	const byDefault = (detail: string): Setting => ({
		...setting,
		value: 300,
		source: {kind: 'profile', detail},
	});
	if (!hasFlags(apiServer)) return byDefault(`kube-apiserver's default; ${apiServer.unknown}`);
	const source: SettingSource = sourceOfFlags(apiServer);
	if (isPluginOff(apiServer)) {
		const detail = `${source.detail} disables the admission plugin ${admissionPlugin}`;
		return {...setting, value: null, source: {...source, detail}};
	}
	const text = apiServer.flags.get(name);
	if (text === undefined) return byDefault(`kube-apiserver's default, not set in ${source.detail}`);
	const value = Number(text);
	if (text.trim() !== '' && Number.isInteger(value)) return {...setting, value, source};
	return byDefault(`kube-apiserver's default; ${source.detail} has --${name}=${text}, which cannot be read`);
}

const isPluginOff = ({flags}: ComponentFlags) =>
	(flags.get('disable-admission-plugins') ?? '').split(',').includes(admissionPlugin);
