import {entriesOf, fieldsOf, isObject, textIn, textMapOf, textOf} from '../../src/cluster/codec/rawJson.ts';
import type {ControllerSettings} from '../../src/core/model/controllerSettings.ts';
import {type ComponentLook, type ControlPlane, hasFlags} from '../../src/core/model/controlPlane.ts';
import {defaultSettings} from '../../src/core/model/versionProfile.ts';
import type {SettingsEvidence} from '../../src/forecast/settings/settingsEvidence.ts';
import {problemsOf} from '../../src/recording/format/decodePressure.ts';
import type {RecordingHeader} from '../../src/recording/format/entry.ts';
import type {SettingsInForce} from '../../src/session/lookOnce.ts';
import type {ControllerOptions} from '../args/controllerOptions.ts';

/** The settings in a recording: their evidence, and for people the result. */
export const recordedSettings = ({evidence, resolved}: SettingsInForce): object => ({
	flags: evidence.flags,
	kubernetesVersion: evidence.versionFlag,
	controlPlane: {
		controllerManager: lookJson(evidence.controlPlane.controllerManager),
		apiServer: lookJson(evidence.controlPlane.apiServer),
		problems: evidence.controlPlane.problems,
	},
	list: resolved.list.map(({name, unit, value, source}) => ({name, unit, value, source})),
});

const lookJson = (look: ComponentLook) => ({
	...(hasFlags(look)
		? {
				seenIn: look.seenIn,
				isOfVendor: look.isOfVendor,
				flags: Object.fromEntries(look.flags),
				others: look.others?.map((flags) => Object.fromEntries(flags)),
			}
		: {unknown: look.unknown}),
	version: look.version,
});

/** What a recording shows of the settings; flags of this command override the recorded ones. */
export function evidenceOfRecording(
	{asked}: ControllerOptions,
	{kubernetesVersion: serverVersion, settings: recorded}: RecordingHeader,
): SettingsEvidence {
	const raw = fieldsOf<{flags: unknown; kubernetesVersion: string; controlPlane: unknown}>(recorded);
	return {
		...asked,
		versionFlag: asked.versionFlag ?? (textOf(raw.kubernetesVersion) || undefined),
		flags: {...flagsOf(raw.flags), ...asked.flags},
		serverVersion,
		controlPlane: controlPlaneOf(raw.controlPlane),
	};
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
	const look =
		fieldsOf<Record<'seenIn' | 'isOfVendor' | 'pod' | 'flags' | 'others' | 'unknown' | 'version', unknown>>(
			value,
		);
	const version = textIn(look.version);
	if (!isObject(look.flags))
		return {
			unknown: textOf(look.unknown) || 'the recording does not show the flags of the control plane',
			version,
		};
	const flagsIn = (flags: unknown) => new Map(Object.entries(textMapOf(flags)));
	return {
		// Older recordings name a pod.
		seenIn: textOf(look.seenIn) || `pod kube-system/${textOf(look.pod)}`,
		isOfVendor: look.isOfVendor === true || undefined,
		flags: flagsIn(look.flags),
		others: look.others === undefined ? undefined : entriesOf(look.others).map(flagsIn),
		version,
	};
}
