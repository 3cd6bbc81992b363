import {unseenControlPlane} from '../../src/core/model/controlPlane.ts';
import type {Problem} from '../../src/core/model/problem.ts';
import {adviceFor} from '../../src/forecast/settings/advice.ts';
import {otherSettings} from '../../src/forecast/settings/otherSettings.ts';
import {resolveSettings} from '../../src/forecast/settings/resolve.ts';
import {risksOf} from '../../src/forecast/settings/risks.ts';
import type {Setting} from '../../src/forecast/settings/setting.ts';
import {timeBudget} from '../../src/forecast/settings/timeBudget.ts';
import {systemClock} from '../../src/live/clock.ts';
import {
	formatSettingNames,
	formatSettingsTable,
	formatVersionTable,
	type SettingsHeader,
	settingsJson,
} from '../../src/print/settings/settings.ts';
import {
	formatSettingsCheck,
	type SettingsCheck,
	settingsCheckJson,
} from '../../src/print/settings/settingsCheck.ts';
import {podChooser} from '../../src/session/podChooser.ts';
import {UserError} from '../../src/text/userError.ts';
import type {Options} from '../args/options.ts';
import {positiveDuration} from '../args/quantities.ts';
import {usageError} from '../args/usageError.ts';
import {type CommandCall, printAnswer} from '../output/documentPrinter.ts';
import type {Terminal} from '../output/terminal.ts';
import {ofChosen} from '../sources/reading.ts';
import {withScene} from '../sources/scene.ts';

export async function showSettings(options: Options, terminal: Terminal) {
	const call = {options, terminal};
	const {flags, names, output, showHeaders} = options;
	const want = positiveDuration('want', flags.want);
	const {inForce, seen, nodes, kubelet} = await findings(call);
	const {resolved, evidence} = inForce;
	const others = otherSettings(seen.leases, evidence.controlPlane, kubelet);
	const problems = [...seen.problems.filter(isAboutSettings), ...resolved.notes];
	const header: SettingsHeader = {...seen, problems};
	const now = systemClock.now();
	if (flags.check || want !== undefined) {
		const renewInterval = Number(others.renewInterval.value);
		const tolerated = others.unreachableToleration.value;
		const check: SettingsCheck = {
			budget: timeBudget(resolved.settings, typeof tolerated === 'number' ? tolerated : null, nodes),
			risks: risksOf(resolved.settings, renewInterval),
			...(want !== undefined && {advice: adviceFor(want, resolved.settings, renewInterval, nodes)}),
		};
		if (names.length > 0) throw usageError('--check looks at all settings: it takes no names');
		if (output === 'name') throw usageError('--check has no names to print: use -o json or yaml');
		await printAnswer(
			{
				problems,
				now,
				text: () => formatSettingsCheck(check, showHeaders),
				document: () => settingsCheckJson(check, header),
				items: (document) => [document],
			},
			call,
		);
		return 0;
	}
	const list = chosen([...resolved.list, ...Object.values(others)], names);
	const isWide = output === 'wide';
	const versions = () =>
		isWide && names.length === 0 ? `\n${formatVersionTable(resolved.profile, showHeaders)}` : '';
	if (output === 'name') await terminal.print(formatSettingNames(list));
	else
		await printAnswer(
			{
				problems,
				now,
				text: (table) => formatSettingsTable(list, table) + versions(),
				document: () => settingsJson(list, header, resolved.profile),
				items: ({items}) => items,
			},
			call,
		);
	return 0;
}

// No setting is read from pods.
const isAboutSettings = ({reason}: Problem) => !reason.startsWith('Pods');

// What is seen of evictions contradicts a setting.
const isAboutEvictions = ({reason}: Problem) => reason.startsWith('TaintEviction');

/** Who only asks for a release needs no cluster; who names one wants to hear what is wrong with it. */
async function findings(call: CommandCall) {
	const {flags, controller, filenames} = call.options;
	// The pods of nodes in trouble show whether somebody evicts.
	const selection = ofChosen([], podChooser());
	try {
		return await withScene(call, selection, async ({inForce, snapshot, forecast, kubelet}) => ({
			inForce,
			seen: {
				...snapshot,
				kubernetesVersion: snapshot.kubernetesVersion,
				problems: [...snapshot.problems, ...forecast.problems.filter(isAboutEvictions)],
			},
			nodes: snapshot.nodes.length,
			kubelet: flags.kubelet === undefined ? undefined : await kubelet(flags.kubelet),
		}));
	} catch (error) {
		const isNamed = [flags.server, flags.context, flags.cluster, flags.kubeconfig, flags.kubelet].some(
			(flag) => flag !== undefined,
		);
		const isOfRelease = controller.asked.versionFlag !== undefined && !isNamed && filenames.length === 0;
		if (!(error instanceof UserError) || !isOfRelease) throw error;
		const controlPlane = unseenControlPlane(error.message);
		const evidence = {...controller.asked, serverVersion: undefined, controlPlane};
		const resolved = resolveSettings(evidence);
		const unseen = {reason: 'ClusterUnseen', message: `no cluster was queried: ${error.message}`};
		const problems = [unseen, ...controller.notes, ...resolved.problems];
		return {
			inForce: {evidence, resolved},
			seen: {source: 'cluster' as const, kubernetesVersion: undefined, leases: undefined, problems},
			nodes: 0,
			kubelet: undefined,
		};
	}
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
