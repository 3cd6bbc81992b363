import {isDeepStrictEqual} from 'node:util';
import {parseGoDuration} from '../../../src/core/model/goValues.ts';
import {protectionOf} from '../../../src/core/nodepressure/criticalPod.ts';
import {podLimit, podRequest} from '../../../src/core/nodepressure/podResources.ts';
import {formatQuantity} from '../../../src/core/nodepressure/quantities/formatQuantity.ts';
import {parsePercentage} from '../../../src/core/nodepressure/quantities/parsePercentage.ts';
import {parseQuantity} from '../../../src/core/nodepressure/quantities/parseQuantity.ts';
import {int64Of, newQuantity} from '../../../src/core/nodepressure/quantities/quantity.ts';
import {
	type FileSystems,
	withContainerFsThresholds,
} from '../../../src/core/nodepressure/thresholds/containerFsThresholds.ts';
import {defaultEvictionHard} from '../../../src/core/nodepressure/thresholds/evictionDefaults.ts';
import {evictionSettings} from '../../../src/core/nodepressure/thresholds/evictionSettings.ts';
import {
	parseThresholds,
	type ThresholdConfig,
} from '../../../src/core/nodepressure/thresholds/parseThresholds.ts';
import {
	type Threshold,
	type ThresholdValue,
	thresholdQuantity,
} from '../../../src/core/nodepressure/thresholds/threshold.ts';
import {qosClassOf} from '../../support/kubeletQosClass.ts';
import {decodePod} from './scenarioWorld.ts';

type Row = Readonly<Record<string, unknown>>;
type Table = {readonly cases: readonly Row[] | Row; readonly description: string};

/** Detects a table by its content. */
export function isTable(content: unknown): content is Table {
	const has = (key: string) => typeof content === 'object' && content !== null && key in content;
	return has('cases') && has('description');
}

/** Checks each row of a table of recorded values; the kind is detected from the row. @returns the first difference */
export function checkTable({cases}: Table): string | undefined {
	for (const row of Array.isArray(cases) ? (cases as readonly Row[]) : [cases as Row]) {
		const check = checks.find(([field]) => field in row)?.[1];
		if (!check) return `a row of an unknown kind: ${shown(row)}`;
		const {want, got} = check(row);
		if (!isDeepStrictEqual(want, got)) return `${shown(row)}: want ${shown(want)}, got ${shown(got)}`;
	}
	return undefined;
}

type Check = (row: Row) => {readonly want: unknown; readonly got: unknown};

/** By a field that only rows of that kind have. */
const checks: readonly (readonly [string, Check])[] = [
	['dedicatedImageFs', checkContainerFs],
	['evictionHardLinux', checkDefaults],
	['percent', checkPercentage],
	['pod', checkPod],
	['binarySI', checkFormat],
	['in', checkParse],
	['input', checkThresholds],
];

function checkThresholds({input, thresholds, error}: Row) {
	const got = attempt(() => parseThresholds(input as ThresholdConfig));
	const list = typeof got === 'string' ? got : sorted(got);
	return {want: error ?? normalized(thresholds), got: list};
}

function checkContainerFs({input, dedicatedImageFs, dedicatedContainerFs, thresholds}: Row) {
	const fileSystems = {
		hasDedicatedImageFs: dedicatedImageFs,
		hasDedicatedContainerFs: dedicatedContainerFs,
	} as FileSystems;
	const configured = parseThresholds(input as ThresholdConfig);
	return {want: normalized(thresholds), got: sorted(withContainerFsThresholds(configured, fileSystems))};
}

function checkDefaults(row: Row) {
	const defaults = evictionSettings({});
	const want = [
		row['evictionHardLinux'],
		row['evictionMaxPodGracePeriod'],
		parseGoDuration(String(row['evictionPressureTransitionPeriod'])),
		row['kernelMemcgNotification'],
		row['localStorageCapacityIsolation'],
		parseGoDuration(String(row['monitoringInterval']).replace(/ .*/, '')),
		row['enforceNodeAllocatable'],
	];
	const enforced = evictionSettings({evictionHard: {'memory.available': '1'}}).thresholds.length === 2;
	const got = [
		defaultEvictionHard,
		defaults.maxPodGracePeriodSeconds,
		defaults.pressureTransitionPeriod,
		defaults.kernelMemcgNotification,
		defaults.localStorageCapacityIsolation,
		defaults.monitoringInterval,
		enforced ? ['pods'] : [],
	];
	return {want, got};
}

function checkPercentage({capacity, percent, float32, quantity, string}: Row) {
	const percentage = parsePercentage(String(percent));
	const amount = thresholdQuantity({percentage}, BigInt(capacity as number | bigint));
	return {
		want: [Number(float32), String(quantity), string],
		got: [percentage, String(int64Of(amount)), formatQuantity(amount)],
	};
}

function checkPod(row: Row) {
	const pod = decodePod(row['pod']);
	const [memory, storage] = [podRequest(pod, 'memory'), podRequest(pod, 'ephemeral-storage')];
	const limit = podLimit(pod, 'ephemeral-storage');
	const got = {
		critical: protectionOf(pod) !== undefined,
		...(limit && {ephemeralStorageLimit: formatQuantity(limit)}),
		ephemeralStorageRequest: formatQuantity(storage),
		ephemeralStorageRequestValue: Number(int64Of(storage)),
		inodesRequestValue: Number(int64Of(podRequest(pod, 'inodes'))),
		memoryRequest: formatQuantity(memory),
		memoryRequestValue: Number(int64Of(memory)),
		qosClass: qosClassOf(pod),
	};
	const {pod: _, ...want} = row;
	return {want, got};
}

function checkFormat({n, binarySI, decimalSI}: Row) {
	const amount = BigInt(n as number | bigint);
	const got = (['BinarySI', 'DecimalSI'] as const).map((format) =>
		formatQuantity(newQuantity(amount, format)),
	);
	return {want: [binarySI, decimalSI], got};
}

function checkParse(row: Row) {
	const quantity = attempt(() => parseQuantity(String(row['in'])));
	if (typeof quantity === 'string') return {want: row['error'], got: quantity};
	return {want: [row['string'], row['value']], got: [formatQuantity(quantity), String(int64Of(quantity))]};
}

/** The result, or the error's message. */
function attempt<T>(compute: () => T): T | string {
	try {
		return compute();
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

/** Thresholds in the table's form and order. The recorder could not write values that are not numbers, and marked them. */
function sorted(thresholds: readonly Threshold[]): unknown {
	const odd = thresholds
		.flatMap(({value}) => ('percentage' in value ? [value.percentage] : []))
		.find(Number.isNaN);
	if (odd !== undefined) return `(no error; percentage is not a finite number: ${odd})`;
	return inOrder(
		thresholds.map(({signal, operator, value, gracePeriod, minReclaim}) => ({
			signal,
			operator,
			...fieldsOf(value, 'quantity', 'percentage'),
			gracePeriod,
			...(minReclaim && fieldsOf(minReclaim, 'minReclaimQuantity', 'minReclaimPercentage')),
		})),
	);
}

const fieldsOf = (value: ThresholdValue, quantity: string, percentage: string) =>
	'quantity' in value ? {[quantity]: formatQuantity(value.quantity)} : {[percentage]: value.percentage + 0};

/** A table's thresholds with their defaults; a percentage is a float32 that was written in short form. */
function normalized(thresholds: unknown): unknown {
	const rows = (thresholds ?? []) as readonly Row[];
	return inOrder(
		rows.map(({gracePeriod, ...row}) => ({
			...Object.fromEntries(
				Object.entries(row).map(([field, value]) => [
					field,
					typeof value === 'number' ? Math.fround(value) + 0 : value,
				]),
			),
			gracePeriod: gracePeriod === undefined ? 0 : parseGoDuration(String(gracePeriod)),
		})),
	);
}

const inOrder = (rows: readonly Row[]): readonly Row[] =>
	rows
		.map((row) => Object.fromEntries(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))))
		.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

const shown = (value: unknown): string =>
	JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? String(inner) : inner));
