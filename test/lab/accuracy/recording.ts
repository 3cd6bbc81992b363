import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync, gzipSync} from 'node:zlib';
import type {ClusterSnapshot} from '../../../src/core/model/clusterSnapshot.ts';
import type {ControllerSettings} from '../../../src/core/model/controllerSettings.ts';
import type {Observation, Provenance} from '../../../src/core/model/observation.ts';
import type {Duration, Instant} from '../../../src/core/time/instant.ts';
import type {Change} from '../../e2e/recorder.ts';

/** An action of the script, which no forecast can foresee. */
export type Step = {
	readonly at: Instant;
	readonly kind: 'stop' | 'start' | 'restart' | 'taint' | 'delete' | 'label';
	/** The nodes that it acts on. */
	readonly nodes: readonly string[];
	/** The nodes whose pods it may affect: those of the same zones, which share a rate and a state. */
	readonly touches: readonly string[];
};

/** One outage: the observations of the project's client, and what really happened. Forecasts can be made from it again. */
export type Recording = {
	readonly name: string;
	readonly title: string;
	readonly startedAt: Instant;
	readonly kubernetesVersion: string;
	/** The controller manager's flags that are not defaults. */
	readonly flags: readonly string[];
	readonly settings: ControllerSettings;
	/** Whether the forecaster has to infer the settings. */
	readonly hidesFlags?: boolean;
	/** What the watch delivered, and when. */
	readonly observed: readonly {
		readonly at: Instant;
		readonly observations: readonly Observation[];
		readonly provenance?: Provenance;
	}[];
	/** How often the watch forecasts between the lists; absent for the usual interval. */
	readonly askedEvery?: Duration;
	/** Lists; forecasts are made at the instant of each. */
	readonly snapshots: readonly ClusterSnapshot[];
	readonly steps: readonly Step[];
	/** Pods whose tolerations were changed, which a list cannot show: a running countdown is not changed by it. */
	readonly editedPods?: readonly string[];
	/** Observed by the recorder, which is independent of the project's client. */
	readonly changes: readonly Change[];
	readonly endedAt: Instant;
};

const folder = join(import.meta.dirname, '../../../.cache/accuracy');

/** Saves a recording, replaces an earlier one of the same scenario, and returns its file. */
export function keepRecording(recording: Recording): string {
	mkdirSync(folder, {recursive: true});
	const file = join(folder, `${recording.name}.json.gz`);
	writeFileSync(file, gzipSync(JSON.stringify(recording)));
	return file;
}

/** The names of all saved recordings. */
export function keptRecordings(): string[] {
	mkdirSync(folder, {recursive: true});
	return readdirSync(folder).flatMap((file) => /^(.+)\.json\.gz$/.exec(file)?.[1] ?? []);
}

export function readRecording(name: string): Recording {
	return JSON.parse(gunzipSync(readFileSync(join(folder, `${name}.json.gz`))).toString()) as Recording;
}
