import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync, gzipSync} from 'node:zlib';
import type {ClusterSnapshot} from '../../../src/core/model/clusterSnapshot.ts';
import type {ControllerSettings} from '../../../src/core/model/controllerSettings.ts';
import type {Observation, Provenance} from '../../../src/core/model/observation.ts';
import type {Duration, Instant} from '../../../src/core/time/instant.ts';
import type {Change} from '../../e2e/recorder.ts';

/** Something that the script did, which nobody could foresee. */
export type Step = {
	readonly at: Instant;
	readonly kind: 'stop' | 'start' | 'restart' | 'taint' | 'delete' | 'label';
	/** The nodes that it was done to. */
	readonly nodes: readonly string[];
	/** The nodes whose pods' fate it may change: those of the same zones, as they share rate and state. */
	readonly touches: readonly string[];
};

/** One outage: what the project's client was told, and what really happened. Forecasts can be made of it again. */
export type Recording = {
	readonly name: string;
	readonly title: string;
	readonly startedAt: Instant;
	readonly kubernetesVersion: string;
	/** The controller manager's, beyond the defaults. */
	readonly flags: readonly string[];
	readonly settings: ControllerSettings;
	/** Whether the forecaster is to find the settings out itself. */
	readonly hidesFlags?: boolean;
	/** What the watch brought, and when. */
	readonly observed: readonly {
		readonly at: Instant;
		readonly observations: readonly Observation[];
		readonly provenance?: Provenance;
	}[];
	/** How often a watch is asked between the lists; absent for the usual pause. */
	readonly askedEvery?: Duration;
	/** Fresh looks, each an instant at which forecasts are made. */
	readonly snapshots: readonly ClusterSnapshot[];
	readonly steps: readonly Step[];
	/** Pods whose tolerations were changed, which no look at them shows: a countdown that ran goes on as it was. */
	readonly editedPods?: readonly string[];
	/** Seen by the recorder, which shares nothing with the project's client. */
	readonly changes: readonly Change[];
	readonly endedAt: Instant;
};

const folder = join(import.meta.dirname, '../../../.cache/accuracy');

/** Keeps a recording in place of an earlier one of the same scenario; returns its file. */
export function keepRecording(recording: Recording): string {
	mkdirSync(folder, {recursive: true});
	const file = join(folder, `${recording.name}.json.gz`);
	writeFileSync(file, gzipSync(JSON.stringify(recording)));
	return file;
}

/** The names of all recordings that were kept. */
export function keptRecordings(): string[] {
	mkdirSync(folder, {recursive: true});
	return readdirSync(folder).flatMap((file) => /^(.+)\.json\.gz$/.exec(file)?.[1] ?? []);
}

export function readRecording(name: string): Recording {
	return JSON.parse(gunzipSync(readFileSync(join(folder, `${name}.json.gz`))).toString()) as Recording;
}
