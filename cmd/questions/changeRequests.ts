import {parseGoDuration} from '../../src/core/model/goValues.ts';
import type {Duration, Instant} from '../../src/core/time/instant.ts';
import {parseTime} from '../../src/dates/parse.ts';
import {type TimeZone, utc} from '../../src/dates/timeZone.ts';
import type {ChangeKind} from '../../src/forecast/simulate/change.ts';
import {controllerOptions} from '../args/controllerOptions.ts';
import {controllerFlags} from '../args/flagGroups/controllerFlags.ts';
import type {whatIfFlags} from '../args/flagGroups/whatIfFlags.ts';
import type {ValuesOf} from '../args/flagSpec.ts';
import {parseArguments} from '../args/flagValues.ts';
import {invalidValue} from '../args/usageError.ts';

/** When a supposed change happens: a time from now, or an instant. */
export type RequestedTime = {readonly after: Duration} | {readonly at: Instant};

/** A what-if flag, parsed; names are not resolved yet. */
export type ChangeRequest = {readonly time: RequestedTime; readonly flag: string} & (
	| {readonly type: 'nodeDown' | 'nodeBack' | 'deleteNode' | 'cordon' | 'outOfService'; readonly node: string}
	| {readonly type: 'zoneDown' | 'zoneBack'; readonly zone: string}
	| Extract<ChangeKind, {readonly type: 'taint' | 'untaint' | 'deviceTaint' | 'controllersStart'}>
	/** Undefined for ever. */
	| {readonly type: 'toleration'; readonly pod: string; readonly seconds: number | undefined}
	| {readonly type: 'controllersDown'}
);

/** Parses the flags of supposed changes. @param zone of times without an offset @throws UserError if one is invalid */
export function changeRequests(
	flags: ValuesOf<typeof whatIfFlags>,
	zone: TimeZone = utc,
): readonly ChangeRequest[] {
	const named = <Type extends ChangeRequest['type']>(
		flag: string,
		texts: readonly string[],
		read: (value: string) => Omit<Extract<ChangeRequest, {type: Type}>, 'time' | 'flag'>,
	) => texts.map((text) => ({...timed(flag, text, read, zone), flag}) as unknown as ChangeRequest);
	const ofNode =
		(type: 'nodeDown' | 'nodeBack' | 'deleteNode' | 'cordon' | 'outOfService') => (node: string) => ({
			type,
			node,
		});
	return [
		...named('node-down', each(flags.nodeDown), ofNode('nodeDown')),
		...named('node-back', each(flags.nodeBack), ofNode('nodeBack')),
		...named('zone-down', each(flags.zoneDown), (zone) => ({type: 'zoneDown', zone})),
		...named('zone-back', each(flags.zoneBack), (zone) => ({type: 'zoneBack', zone})),
		...named('taint', flags.taint, readTaint),
		...named('untaint', flags.untaint, readUntaint),
		...named('device-taint', flags.deviceTaint, readDeviceTaint),
		...named('out-of-service', each(flags.outOfService), ofNode('outOfService')),
		...named('cordon', each(flags.cordon), ofNode('cordon')),
		...named('delete-node', each(flags.deleteNode), ofNode('deleteNode')),
		...named('controller-down', flags.controllerDown.map(withTime), () => ({type: 'controllersDown'})),
		...named('controller-restart', flags.controllerRestart.map(withTime), () => ({type: 'controllersStart'})),
		...named('toleration', flags.toleration, readToleration),
		...named('set', flags.set, readSetting),
	];
}

/** `n1,n2@+2m`: names hold no commas. */
const each = (texts: readonly string[]): readonly string[] => texts.flatMap((text) => text.split(','));

const withTime = (text: string): string => (text === '' || text.startsWith('@') ? text : `@${text}`);

/** Splits off the time after the last `@`; names hold none. */
function timed<T extends object>(
	flag: string,
	text: string,
	read: (value: string) => T,
	zone: TimeZone,
): T & {time: RequestedTime} {
	const split = text.lastIndexOf('@');
	const value = split < 0 ? text : text.slice(0, split);
	const time = split < 0 ? {after: 0} : readTime(flag, text, text.slice(split + 1), zone);
	if (value === '' && flag !== 'controller-down' && flag !== 'controller-restart')
		throw invalidValue(flag, text, 'the name is missing');
	return {...read(value), time};
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

function readTaint(text: string) {
	const [, node = '', key = '', value = '', name] = /^([^=]+)=([^=:]+)(?:=([^:]*))?:(\w+)$/.exec(text) ?? [];
	const effect = effectOf(name);
	if (!effect) throw invalidValue('taint', text, `want NODE=KEY[=VALUE]:EFFECT, of ${effects.join(', ')}`);
	return {type: 'taint', node, taint: {key, value, effect}} as const;
}

function readUntaint(text: string) {
	const [, node = '', key = '', name] = /^([^=]+)=([^=:]+)(?::(\w+))?$/.exec(text) ?? [];
	const effect = effectOf(name);
	if (key === '' || (name !== undefined && !effect))
		throw invalidValue('untaint', text, `want NODE=KEY[:EFFECT], of ${effects.join(', ')}`);
	return {type: 'untaint', node, key, ...(effect && {effect})} as const;
}

/** The key of a device taint given without one; only tolerations of all keys match it. */
const anyKey = 'what-if';

/** A pool name may contain slashes. */
function readDeviceTaint(text: string) {
	const [, driver = '', pool = '', device = '', key = anyKey, value = ''] =
		/^([^/=]+)\/([^=]+)\/([^/=]+)(?:=([^=:]+)(?:=([^=:]*))?)?$/.exec(text) ?? [];
	if (driver === '') throw invalidValue('device-taint', text, 'want DRIVER/POOL/DEVICE[=KEY[=VALUE]]');
	return {
		type: 'deviceTaint',
		device: {driver, pool, device},
		taint: {key, value, effect: 'NoExecute'},
	} as const;
}

function readToleration(text: string) {
	const [, pod = '', amount = ''] = /^([^=]+)=(\d+|forever)$/.exec(text) ?? [];
	if (pod === '') throw invalidValue('toleration', text, 'want POD=SECONDS, or POD=forever');
	return {type: 'toleration', pod, seconds: amount === 'forever' ? undefined : Number(amount)} as const;
}

function readSetting(text: string) {
	const [, name = '', value = ''] = /^(?:--)?([a-z-]+)=(.+)$/.exec(text) ?? [];
	const isKnown = Object.hasOwn(controllerFlags, name) && name !== 'kubernetes-version';
	if (!isKnown)
		throw invalidValue(
			'set',
			text,
			"want one of kube-controller-manager's flags, as in node-eviction-rate=1",
		);
	const {flags} = parseArguments(controllerFlags, {flags: [[name, value]], positionals: []});
	const {settings, givenFlags} = controllerOptions(flags);
	if (givenFlags) throw invalidValue('set', text, `--${name} cannot be simulated`);
	return {type: 'controllersStart', settings} as const;
}
