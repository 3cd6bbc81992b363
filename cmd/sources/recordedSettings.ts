import {fieldsOf, isObject, textMapOf, textOf} from '../../src/cluster/codec/rawJson.ts';
import type {ControllerSettings} from '../../src/core/model/controllerSettings.ts';
import {type ComponentLook, type ControlPlane, hasFlags} from '../../src/core/model/controlPlane.ts';
import {defaultSettings} from '../../src/core/model/versionProfile.ts';
import {problemsOf} from '../../src/recording/format/decodePressure.ts';
import type {RecordingHeader} from '../../src/recording/format/entry.ts';
import type {ControllerOptions} from '../args/controllerOptions.ts';
import {soundLearned} from './learnedStore.ts';
import {inForce, type SettingsInForce} from './settingsInForce.ts';

/** The settings in a recording: their evidence, and for people the result. */
export const recordedSettings = ({evidence, resolved}: SettingsInForce): object => ({
	flags: evidence.flags,
	...(evidence.versionFlag !== undefined && {kubernetesVersion: evidence.versionFlag}),
	controlPlane: {
		controllerManager: lookJson(evidence.controlPlane.controllerManager),
		apiServer: lookJson(evidence.controlPlane.apiServer),
		problems: evidence.controlPlane.problems,
	},
	learned: evidence.learned,
	list: resolved.list.map(({name, unit, value, source}) => ({name, unit, value, source})),
});

const lookJson = (look: ComponentLook) =>
	hasFlags(look) ? {pod: look.pod, flags: Object.fromEntries(look.flags)} : {unknown: look.unknown};

/** The settings of a recording; flags of this command override the recorded ones. */
export function settingsOfRecording(
	{kubernetesVersion, settings, notes}: ControllerOptions,
	{kubernetesVersion: serverVersion, settings: recorded}: RecordingHeader,
): SettingsInForce {
	const raw = fieldsOf<{flags: unknown; kubernetesVersion: string; controlPlane: unknown; learned: unknown}>(
		recorded,
	);
	const options = {
		kubernetesVersion: kubernetesVersion ?? (textOf(raw.kubernetesVersion) || undefined),
		settings: {...flagsOf(raw.flags), ...settings},
		notes,
	};
	return inForce(options, serverVersion, controlPlaneOf(raw.controlPlane), soundLearned(raw.learned));
}

// A file may hold anything: invalid settings are left out.
function flagsOf(value: unknown): Partial<ControllerSettings> {
	const known = Object.entries(fieldsOf<Record<string, unknown>>(value)).filter(
		([name, one]) =>
			Object.hasOwn(defaultSettings, name) &&
			typeof one === typeof defaultSettings[name as keyof ControllerSettings],
	);
	return Object.fromEntries(known);
}

function controlPlaneOf(value: unknown): ControlPlane {
	const raw = fieldsOf<{controllerManager: unknown; apiServer: unknown; problems: unknown}>(value);
	return {
		controllerManager: lookOf(raw.controllerManager),
		apiServer: lookOf(raw.apiServer),
		problems: problemsOf(raw.problems),
	};
}

function lookOf(value: unknown): ComponentLook {
	const {pod, flags, unknown} = fieldsOf<{pod: string; flags: unknown; unknown: string}>(value);
	if (isObject(flags)) return {pod: textOf(pod), flags: new Map(Object.entries(textMapOf(flags)))};
	return {unknown: textOf(unknown) || 'the recording does not show the flags of the control plane'};
}
