import {unseenControlPlane} from '../../src/core/model/controlPlane.ts';
import type {KubeletConfig} from '../../src/core/model/kubeletConfig.ts';
import type {Lease} from '../../src/core/model/lease.ts';
import type {Problem} from '../../src/core/model/problem.ts';
import type {VersionProfile} from '../../src/core/model/versionProfile.ts';
import {adviceFor} from '../../src/forecast/settings/advice.ts';
import {otherSettings} from '../../src/forecast/settings/otherSettings.ts';
import {risksOf} from '../../src/forecast/settings/risks.ts';
import type {Setting} from '../../src/forecast/settings/setting.ts';
import {timeBudget} from '../../src/forecast/settings/timeBudget.ts';
import {systemClock} from '../../src/live/clock.ts';
import {
	formatSettingNames,
	formatSettingsTable,
	type SettingsHeader,
	settingsJson,
} from '../../src/print/settings/settings.ts';
import {
	formatSettingsCheck,
	type SettingsCheck,
	settingsCheckJson,
} from '../../src/print/settings/settingsCheck.ts';
import {formatVersionTable} from '../../src/print/settings/versionTable.ts';
import {lookOnce} from '../../src/session/lookOnce.ts';
import {PodChooser} from '../../src/session/podChooser.ts';
import {UserError} from '../../src/text/userError.ts';
import type {settingsFlags} from '../args/flagGroups/settingsFlags.ts';
import type {Options} from '../args/options.ts';
import {positiveDuration} from '../args/quantities.ts';
import {usageError} from '../args/usageError.ts';
import {printAnswer} from '../output/answer.ts';
import type {Terminal} from '../output/terminal.ts';
import {sceneOfFiles} from '../sources/fileScene.ts';
import {withCluster} from '../sources/reading.ts';
import {type SettingsInForce, settingsOfCluster} from '../sources/settingsInForce.ts';

type Findings = SettingsInForce & {
	readonly source: SettingsHeader['source'];
	readonly kubernetesVersion: string | undefined;
	readonly leases: readonly Lease[] | undefined;
	readonly kubelet?: KubeletConfig;
	readonly nodes: number;
	readonly problems: readonly Problem[];
};

type SettingsOptions = Options<typeof settingsFlags>;

export async function showSettings(options: SettingsOptions, terminal: Terminal): Promise<number> {
	const want = positiveDuration('want', options.flags.want);
	const findings = options.filenames.length === 0 ? await ofClusterOrVersion(options) : await ofFile(options);
	const {resolved, controlPlane, leases, kubelet} = findings;
	const others = otherSettings(leases, controlPlane, kubelet);
	const header: SettingsHeader = {
		...findings,
		problems: [...findings.problems.filter(isAboutSettings), ...resolved.problems, ...resolved.notes],
	};
	if (options.flags.check || want !== undefined) {
		const renewInterval = Number(others.renewInterval.value);
		const tolerated = others.unreachableToleration.value;
		const check: SettingsCheck = {
			budget: timeBudget(resolved.settings, typeof tolerated === 'number' ? tolerated : null, findings.nodes),
			risks: risksOf(resolved.settings, renewInterval),
			...(want !== undefined && {advice: adviceFor(want, resolved.settings, renewInterval, findings.nodes)}),
		};
		if (options.names.length > 0) throw usageError('--check looks at all settings: it takes no names');
		await printCheck(check, header, options, terminal);
		return 0;
	}
	const list = chosen([...resolved.list, ...Object.values(others)], options.names);
	await printList(list, header, resolved.profile, options, terminal);
	return 0;
}

// No setting is read from pods.
const isAboutSettings = ({reason}: Problem): boolean => !reason.startsWith('Pods');

// What is seen of evictions contradicts a setting.
const isAboutEvictions = ({reason}: Problem): boolean => reason.startsWith('TaintEviction');

/** Who only asks for a release needs no cluster; who names one wants to hear what is wrong with it. */
async function ofClusterOrVersion(options: SettingsOptions): Promise<Findings> {
	const {flags, controller} = options;
	try {
		return await ofCluster(options);
	} catch (error) {
		const isNamed = [flags.server, flags.context, flags.cluster, flags.kubeconfig, flags.kubelet].some(
			(flag) => flag !== undefined,
		);
		if (!(error instanceof UserError) || controller.kubernetesVersion === undefined || isNamed) throw error;
		const inForce = await settingsOfCluster(controller, undefined, unseenControlPlane(error.message));
		const message = `no cluster was queried: ${error.message}`;
		const found = {kubernetesVersion: undefined, leases: undefined, nodes: 0};
		return {...inForce, ...found, source: 'cluster', problems: [{reason: 'ClusterUnseen', message}]};
	}
}

const ofCluster = ({flags, controller}: SettingsOptions): Promise<Findings> =>
	withCluster(flags, async (cluster) => {
		const [snapshot, controlPlane, kubelet] = await Promise.all([
			// The pods of nodes in trouble show whether somebody evicts.
			cluster.snapshot({pods: {type: 'chosen', chooser: new PodChooser()}}),
			cluster.controlPlane(),
			flags.kubelet === undefined ? undefined : cluster.kubeletConfig(flags.kubelet),
		]);
		const {kubernetesVersion, leases, nodes} = snapshot;
		const inForce = await settingsOfCluster(controller, kubernetesVersion, controlPlane);
		const {resolved, forecast} = lookOnce(snapshot, inForce.evidence);
		const problems = [...snapshot.problems, ...forecast.problems.filter(isAboutEvictions)];
		const found = {kubernetesVersion, leases, nodes: nodes.length, problems, ...(kubelet && {kubelet})};
		const noted = {...resolved, problems: [...controller.notes, ...resolved.problems]};
		return {...inForce, resolved: noted, source: 'cluster', ...found};
	});

async function ofFile(options: Options): Promise<Findings> {
	const {snapshot, inForce, forecast} = await sceneOfFiles(options);
	const {kubernetesVersion, leases, nodes} = snapshot;
	const problems = [...snapshot.problems, ...forecast.problems.filter(isAboutEvictions)];
	return {...inForce, source: 'file', kubernetesVersion, leases, nodes: nodes.length, problems};
}

function chosen(list: readonly Setting[], names: readonly string[]): readonly Setting[] {
	const unknown = names.filter((name) => !list.some((setting) => setting.name === name));
	if (unknown.length > 0) {
		throw new UserError(
			`there is no setting ${unknown.map((name) => `"${name}"`).join(', ')}`,
			'to list them: `kubectl evictwatch settings`',
		);
	}
	return names.length === 0 ? list : list.filter(({name}) => names.includes(name));
}

function printList(
	list: readonly Setting[],
	header: SettingsHeader,
	profile: VersionProfile,
	options: Options,
	terminal: Terminal,
): Promise<void> {
	const {output, showHeaders, names} = options;
	if (output === 'name') return terminal.print(formatSettingNames(list));
	const isWide = output === 'wide';
	const versions = () =>
		isWide && names.length === 0 ? `\n${formatVersionTable(profile, showHeaders)}` : '';
	return printAnswer(
		{
			text: () => formatSettingsTable(list, {isWide, showHeaders}) + versions(),
			document: () => settingsJson(list, header, profile),
			items: ({items}) => items,
			...{problems: header.problems, now: systemClock.now()},
		},
		options,
		terminal,
	);
}

function printCheck(
	check: SettingsCheck,
	header: SettingsHeader,
	options: Options,
	terminal: Terminal,
): Promise<void> {
	const {output, showHeaders} = options;
	if (output === 'name') throw usageError('--check has no names to print: use -o json or yaml');
	return printAnswer(
		{
			text: () => formatSettingsCheck(check, showHeaders),
			document: () => settingsCheckJson(check, header),
			items: (document) => [document],
			...{problems: header.problems, now: systemClock.now()},
		},
		options,
		terminal,
	);
}
