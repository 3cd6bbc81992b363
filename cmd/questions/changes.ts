import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import type {DeviceIdentity} from '../../src/core/model/device.ts';
import {parseGoDuration} from '../../src/core/model/goValues.ts';
import {nameOf} from '../../src/core/model/objectName.ts';
import {podKey} from '../../src/core/model/pod.ts';
import {outOfServiceTaint} from '../../src/core/model/taint.ts';
import {zoneKey, zoneLabel} from '../../src/core/model/zone.ts';
import type {Duration, Instant} from '../../src/core/time/instant.ts';
import {parseTime} from '../../src/dates/parse.ts';
import {type TimeZone, utc} from '../../src/dates/timeZone.ts';
import {formatTimestamp} from '../../src/dates/utc.ts';
import {poolsOf} from '../../src/forecast/conclude/deviceEvictions.ts';
import type {Change, ChangeKind} from '../../src/forecast/simulate/change.ts';
import {tolerating} from '../../src/forecast/whatif/remedy.ts';
import {UserError} from '../../src/text/userError.ts';
import {controllerOptions} from '../args/controllerOptions.ts';
import {controllerFlags} from '../args/flagGroups/controllerFlags.ts';
import type {whatIfFlags} from '../args/flagGroups/whatIfFlags.ts';
import {camelCase, type ValuesOf} from '../args/flagSpec.ts';
import {parseArguments} from '../args/flagValues.ts';
import {invalidValue} from '../args/usageError.ts';
import {isThere, type NameScene, notFound, podNamed, zoneNamed} from '../sources/named.ts';

/** When a supposed change happens: a time from now, or an instant. */
type RequestedTime = {readonly after: Duration} | {readonly at: Instant};

/** Resolves the names of a request. */
export type ChangeScene = NameScene & Pick<ClusterSnapshot, 'deviceObjects'> & {readonly now: Instant};

/** The value of a what-if flag: what it names, and what it supposes once the names are resolved. */
type SupposedChange = Readonly<{
	node?: string;
	zone?: string;
	device?: DeviceIdentity;
	pod?: string;
	kinds: (scene: ChangeScene) => readonly ChangeKind[];
}>;

/** A what-if flag, parsed; names are not resolved yet. */
export type ChangeRequest = SupposedChange & {readonly time: RequestedTime; readonly flag: string};

type ChangeReader = (value: string, flag: string) => SupposedChange;

const ofNode =
	(kind: (node: string) => ChangeKind): ChangeReader =>
	(node, flag) => ({node, kinds: (scene) => [kind(nodeNamed(node, flag, scene))]});

const ofZone =
	(type: 'nodeDown' | 'nodeBack'): ChangeReader =>
	(zone, flag) => ({zone, kinds: (scene) => nodesOfZone(zone, flag, scene).map((node) => ({type, node}))});

/** The flags of supposed changes. */
const readers = {
	'node-down': ofNode((node) => ({type: 'nodeDown', node})),
	'node-back': ofNode((node) => ({type: 'nodeBack', node})),
	'zone-down': ofZone('nodeDown'),
	'zone-back': ofZone('nodeBack'),
	taint: readTaint,
	untaint: readUntaint,
	'device-taint': readDeviceTaint,
	'out-of-service': ofNode((node) => ({type: 'taint', node, taint: outOfServiceTaint})),
	cordon: ofNode((node) => ({type: 'cordon', node, unschedulable: true})),
	'delete-node': ofNode((node) => ({type: 'deleteNode', node})),
	'controller-down': () => ({kinds: () => [{type: 'controllersDown'}]}),
	'controller-restart': () => ({kinds: () => [{type: 'controllersStart'}]}),
	toleration: readToleration,
	set: readSetting,
} as const satisfies Readonly<Record<string, ChangeReader>>;

/** Parses the flags of supposed changes. @param zone of times without an offset @throws UserError if one is invalid */
export function changeRequests(
	flags: ValuesOf<typeof whatIfFlags>,
	zone: TimeZone = utc,
): readonly ChangeRequest[] {
	return Object.entries<ChangeReader>(readers).flatMap(([flag, read]) => {
		const given = flags[camelCase(flag) as keyof typeof flags] as readonly string[];
		// `n1,n2@+2m`: names of nodes and zones hold no commas.
		const isOfNodes = /^node-|^(out-of-service|cordon|delete-node)$/.test(flag);
		const texts = given.flatMap((text) =>
			isOfNodes ? nodeNamesIn(text) : flag.startsWith('zone-') ? text.split(',') : text,
		);
		return texts.map((text) => timed(flag, text, read, zone));
	});
}

/** The name of a node that may be given as `node/NAME`. */
export const nodeNameIn = (text: string): string => text.replace(/^(no|nodes?)\//, '');

/** The names of nodes, separated by commas. */
export const nodeNamesIn = (text: string): readonly string[] => text.split(',').map(nodeNameIn);

/** Splits off the time after the last `@`; names hold none. */
function timed(flag: string, text: string, read: ChangeReader, zone: TimeZone): ChangeRequest {
	const isOfControllers = flag.startsWith('controller-');
	const whole = !isOfControllers || text === '' || text.startsWith('@') ? text : `@${text}`;
	const split = whole.lastIndexOf('@');
	const value = split < 0 ? whole : whole.slice(0, split);
	const time = split < 0 ? {after: 0} : readTime(flag, whole, whole.slice(split + 1), zone);
	if (value === '' && !isOfControllers) throw invalidValue(flag, text, 'the name is missing');
	return {...read(value, flag), time, flag};
}

function readTime(flag: string, text: string, time: string, zone: TimeZone): RequestedTime {
	if (/^\d{4}-\d\d-\d\d/.test(time)) {
		const at = parseTime(time, zone);
		if (at !== undefined) return {at};
	} else {
		try {
			const after = parseGoDuration(time.replace(/^\+/, ''));
			if (after >= 0) return {after};
		} catch {
			// Reported below with an example.
		}
	}
	throw invalidValue(flag, text, 'want a time such as @+2m or @2026-01-31T14:07:31Z');
}

const effects = ['NoExecute', 'NoSchedule', 'PreferNoSchedule'] as const;

const effectOf = (text: string | undefined) => effects.find((one) => one === text);

function readTaint(text: string, flag: string): SupposedChange {
	const [, node = '', key = '', value = '', name] = /^([^=]+)=([^=:]+)(?:=([^:]*))?:(\w+)$/.exec(text) ?? [];
	const effect = effectOf(name);
	if (!effect) throw invalidValue(flag, text, `want NODE=KEY[=VALUE]:EFFECT, of ${effects.join(', ')}`);
	return ofNode((found) => ({type: 'taint', node: found, taint: {key, value, effect}}))(node, flag);
}

function readUntaint(text: string, flag: string): SupposedChange {
	const [, node = '', key = '', name] = /^([^=]+)=([^=:]+)(?::(\w+))?$/.exec(text) ?? [];
	const effect = effectOf(name);
	if (key === '' || (name !== undefined && !effect))
		throw invalidValue(flag, text, `want NODE=KEY[:EFFECT], of ${effects.join(', ')}`);
	return ofNode((found) => ({type: 'untaint', node: found, key, ...(effect && {effect})}))(node, flag);
}

/** The key of a device taint given without one; only tolerations of all keys match it. */
const anyKey = 'what-if';

/** A pool name may contain slashes. */
function readDeviceTaint(text: string, flag: string): SupposedChange {
	const [, driver = '', pool = '', name = '', key = anyKey, value = ''] =
		/^([^/=]+)\/([^=]+)\/([^/=]+)(?:=([^=:]+)(?:=([^=:]*))?)?$/.exec(text) ?? [];
	if (driver === '') throw invalidValue(flag, text, 'want DRIVER/POOL/DEVICE[=KEY[=VALUE]]');
	const device = {driver, pool, device: name};
	const taint = {key, value, effect: 'NoExecute'} as const;
	return {device, kinds: (scene) => [{type: 'deviceTaint', device: deviceNamed(device, flag, scene), taint}]};
}

function readToleration(text: string, flag: string): SupposedChange {
	const [, name = '', amount = ''] = /^([^=]+)=(\d+|forever)$/.exec(text) ?? [];
	if (name === '') throw invalidValue(flag, text, 'want POD=SECONDS, or POD=forever');
	const seconds = amount === 'forever' ? undefined : Number(amount);
	const kinds = (scene: ChangeScene): readonly ChangeKind[] => {
		const pod = podNamed(name, scene);
		return [{type: 'tolerations', pod: podKey(pod), tolerations: tolerating(pod, seconds)}];
	};
	return {pod: name, kinds};
}

function readSetting(text: string, flag: string): SupposedChange {
	const [, name = '', value = ''] = /^(?:--)?([a-z-]+)=(.+)$/.exec(text) ?? [];
	if (!Object.hasOwn(controllerFlags, name) || name === 'kubernetes-version')
		throw invalidValue(flag, text, "want one of kube-controller-manager's flags, as in node-eviction-rate=1");
	const {flags} = parseArguments(controllerFlags, {flags: [[name, value]], positionals: []});
	const {flags: settings, givenFlags} = controllerOptions(flags).asked;
	if (givenFlags) throw invalidValue(flag, text, `--${name} cannot be simulated`);
	return {kinds: () => [{type: 'controllersStart', settings}]};
}

/** Resolves requests into changes. @throws UserError if an object does not exist, or the time is in the past */
export const changesOf = (requests: readonly ChangeRequest[], scene: ChangeScene): readonly Change[] =>
	requests.flatMap((request) => {
		const at = instantOf(request.time, scene.now, request.flag);
		return request.kinds(scene).map((kind): Change => ({at, ...kind}));
	});

function instantOf(time: RequestedTime, now: Instant, flag: string): Instant {
	const at = 'at' in time ? time.at : now + time.after;
	if (at >= now) return at;
	const hint = `the forecast is of ${formatTimestamp(now)}: give a later time, or one from then, as in @+2m`;
	throw new UserError(`--${flag}: ${formatTimestamp(at)} is in the past`, hint);
}

function nodeNamed(name: string, flag: string, scene: ChangeScene): string {
	const node = {kind: 'nodes', name} as const;
	if (isThere(node, scene)) return name;
	throw notFound(node, scene, `--${flag}: `);
}

function deviceNamed(
	device: DeviceIdentity,
	flag: string,
	{deviceObjects = []}: ChangeScene,
): DeviceIdentity {
	const slices = deviceObjects.filter((one) => one.kind === 'ResourceSlice');
	if (poolsOf(slices).device(device)) return device;
	const name = `${device.driver}/${device.pool}/${device.device}`;
	throw new UserError(
		`--${flag}: device ${JSON.stringify(name)} not found`,
		slices.length === 0
			? 'no ResourceSlices were seen: the cluster has none, or they may not be read'
			: 'see `kubectl get resourceslices`: DRIVER/POOL/DEVICE of the newest generation of the pool',
	);
}

function nodesOfZone(zone: string, flag: string, scene: ChangeScene): readonly string[] {
	const full = zoneNamed(zone, scene);
	if (full !== undefined) return scene.nodes.filter((node) => zoneLabel(zoneKey(node)) === full).map(nameOf);
	throw notFound({kind: 'zones', name: zone}, scene, `--${flag}: `);
}
