/// <reference lib="esnext.temporal" />
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {dateAndTime, dateOf, inTimeZone, timeAlone, timeBeside, timeOfDay} from '../../src/dates/format.ts';
import {parseTime} from '../../src/dates/parse.ts';
import {
	offsetOf,
	systemTimeZone,
	timeZoneNamed,
	timeZoneNames,
	timeZoneWords,
} from '../../src/dates/timeZone.ts';

const berlin = 'Europe/Berlin';
const zones = ['UTC', berlin, 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'];
const at = (text: string) => Date.parse(text);
const now = at('2026-11-22T14:07:31Z');

test('an instant is written in the zone of the reader', () => {
	expect(zones.map((zone) => `${dateOf(now, zone)} ${timeOfDay(now, zone)}`)).toEqual([
		'2026-11-22 14:07:31',
		'2026-11-22 15:07:31',
		'2026-11-22 09:07:31',
		'2026-11-22 19:37:31',
		'2026-11-23 01:07:31',
	]);
	expect(zones.map((zone) => dateAndTime(now, zone))).toEqual([
		'2026-11-22T14:07:31Z',
		'2026-11-22T15:07:31+01:00',
		'2026-11-22T09:07:31-05:00',
		'2026-11-22T19:37:31+05:30',
		'2026-11-23T01:07:31+11:00',
	]);
	expect(zones.map((zone) => timeZoneWords(now, zone))).toEqual([
		'UTC',
		'Europe/Berlin (UTC+01:00)',
		'America/New_York (UTC-05:00)',
		'Asia/Kolkata (UTC+05:30)',
		'Australia/Lord_Howe (UTC+11:00)',
	]);
	expect(dateAndTime(now, 'Europe/London')).toBe('2026-11-22T14:07:31+00:00');
});

test('what is written is what Temporal says, at any instant in any zone', () => {
	fc.assert(
		fc.property(
			fc.integer({min: at('1990-01-01T00:00:00Z'), max: at('2060-01-01T00:00:00Z')}),
			fc.constantFrom(...timeZoneNames()),
			(instant, zone) => {
				const expected = Temporal.Instant.fromEpochMilliseconds(
					Math.floor(instant / 1000) * 1000,
				).toZonedDateTimeISO(zone);
				expect(`${dateOf(instant, zone)}T${timeOfDay(instant, zone)}`).toBe(
					expected.toPlainDateTime().toString({smallestUnit: 'second'}),
				);
				expect(offsetOf(instant, zone) * 60_000_000_000).toBe(expected.offsetNanoseconds);
			},
		),
	);
});

/** Instants within a few hours of a clock change, and arbitrary others. */
const anInstant = fc.oneof(
	fc.integer({min: at('1990-01-01T00:00:00Z'), max: at('2060-01-01T00:00:00Z')}),
	fc
		.tuple(
			fc.constantFrom(
				'2026-03-29T01:00:00Z',
				'2026-10-25T01:00:00Z',
				'2026-11-01T06:00:00Z',
				'2026-04-04T15:00:00Z',
			),
			fc.integer({min: -10_800, max: 10_800}),
		)
		.map(([change, seconds]) => at(change) + seconds * 1000),
);

test('a time without an offset is read in the zone of the reader, as Temporal reads it', () => {
	fc.assert(
		fc.property(
			anInstant,
			fc.oneof(fc.constantFrom(...zones), fc.constantFrom(...timeZoneNames())),
			(instant, zone) => {
				const text = new Date(instant).toISOString().slice(0, 19);
				const local = Temporal.PlainDateTime.from(text);
				const [earlier, later] = (['earlier', 'later'] as const).map((disambiguation) =>
					local.toZonedDateTime(zone, {disambiguation}),
				);
				// In an hour that occurs twice, the first is used; a skipped time may be read with either offset.
				const comesTwice = earlier?.toPlainDateTime().equals(local);
				const readings = comesTwice ? [earlier] : [earlier, later];
				expect(readings.map((one) => one?.epochMilliseconds)).toContain(parseTime(text, zone));
			},
		),
	);
});

test('times are read with an offset, and without one', () => {
	expect(parseTime('2026-11-22T14:07:31Z', berlin)).toBe(now);
	expect(parseTime('2026-11-22t14:07:31.250z', berlin)).toBe(now + 250);
	expect(parseTime('2026-11-22T15:07:31+01:00', 'UTC')).toBe(now);
	expect(parseTime('2026-11-22 15:07:31', berlin)).toBe(now);
	expect(parseTime('2026-11-22T15:07', berlin)).toBe(now - 31_000);
	expect(parseTime('2026-11-22T14:07:31', 'UTC')).toBe(now);
	// The hour that occurs twice in Berlin: the first, unless an offset is given.
	expect(parseTime('2026-10-25T02:30', berlin)).toBe(at('2026-10-25T00:30:00Z'));
	expect(parseTime('2026-10-25T02:30:00+01:00', berlin)).toBe(at('2026-10-25T01:30:00Z'));
	expect(parseTime('2026-04-05T01:45', 'Australia/Lord_Howe')).toBe(at('2026-04-04T14:45:00Z'));
	for (const text of ['', '15:07', '2026-11-22', '2026-02-30T10:00:00Z', '2026-11-22T25:00', 'yesterday'])
		expect(parseTime(text, berlin), text).toBeUndefined();
});

test('through the end of daylight saving time, each time says on which side it is', () => {
	// Berlin changes from +02:00 to +01:00 at 01:00 UTC: 02:30 occurs twice.
	const [before, after] = [at('2026-10-25T00:30:00Z'), at('2026-10-25T01:30:00Z')];
	expect([before, after].map((one) => timeOfDay(one, berlin))).toEqual(['02:30:00', '02:30:00']);
	expect([before, after].map((one) => timeBeside(one, after, berlin))).toEqual([
		'02:30:00+02:00',
		'02:30:00',
	]);
	expect([before, after].map((one) => timeBeside(one, before, berlin))).toEqual([
		'02:30:00',
		'02:30:00+01:00',
	]);
	expect([before, after].map((one) => timeAlone(one, after, berlin))).toEqual([
		'02:30:00+02:00',
		'02:30:00+01:00',
	]);
	expect(inTimeZone('between 00:59:58Z and 01:00:03Z', after, berlin)).toBe(
		'between 02:59:58+02:00 and 02:00:03+01:00',
	);
	// Lord Howe changes by half an hour.
	expect(timeBeside(at('2026-04-04T14:50:00Z'), at('2026-04-04T15:10:00Z'), 'Australia/Lord_Howe')).toBe(
		'01:50:00+11:00',
	);
	expect(timeBeside(at('2026-04-04T15:10:00Z'), at('2026-04-04T14:50:00Z'), 'Australia/Lord_Howe')).toBe(
		'01:40:00+10:30',
	);
	// New York changes forward: an hour after 01:30 it is 03:30.
	const spring = at('2026-03-08T06:30:00Z');
	expect(timeBeside(spring + 3_600_000, spring, 'America/New_York')).toBe('03:30:00-04:00');
});

test('a time beside others has its date where that is another', () => {
	expect(timeBeside(now - 13 * 3_600_000, now, 'Asia/Kolkata')).toBe('2026-11-22T06:37:31+05:30');
	expect(timeAlone(now - 13 * 3_600_000, now, 'UTC')).toBe('2026-11-22T01:07:31Z');
	expect(timeAlone(now, now, 'UTC')).toBe('14:07:31Z');
});

test('the times in a sentence are put into the zone, and nothing else is', () => {
	const text =
		'tainted at 14:07:31Z, renewed 2026-11-22T14:07:01.250Z, between 23:59:59Z and 2026-11-24T00:00:01Z';
	expect(inTimeZone(text, now, 'Asia/Kolkata')).toBe(
		'tainted at 19:37:31+05:30, renewed 2026-11-22T19:37:01.250+05:30, between 05:29:59+05:30 and 2026-11-24T05:30:01+05:30',
	);
	expect(inTimeZone(text, now, 'UTC')).toBe(text);
	expect(inTimeZone('at 14:07:31Z: it is at work', now, berlin)).toBe('at 15:07:31+01:00: it is at work');
	for (const other of [
		'25:99:00Z',
		'114:07:31Z',
		'14:07:31',
		'n1-14:07:31Zx',
		'14:07:31ZZ',
		'2026-11-22T14:07:31+01:00',
	])
		expect(inTimeZone(other, now, berlin), other).toBe(other);
});

test('a time of day in a sentence is the one nearest to now: its offset is that of its own day', () => {
	const midnight = at('2026-10-25T00:10:00Z');
	expect(inTimeZone('23:50:00Z', midnight, berlin)).toBe('01:50:00+02:00');
	expect(inTimeZone('02:00:00Z', at('2026-10-24T23:50:00Z'), berlin)).toBe('03:00:00+01:00');
});

test('zones are named in any case, by their older and newer names, and by local and utc', () => {
	expect(timeZoneNamed('UTC')).toBe('UTC');
	expect(timeZoneNamed('utc')).toBe('UTC');
	expect(timeZoneNamed('Etc/UTC')).toBe('UTC');
	expect(timeZoneNamed('europe/berlin')).toBe(berlin);
	expect(timeZoneNamed('Asia/Kolkata')).toBe('Asia/Kolkata');
	expect(timeZoneNamed('asia/kolkata')).toBe('Asia/Kolkata');
	expect(timeZoneNamed('us/pacific')).toBe('US/Pacific');
	expect(timeZoneNamed('Asia/Calcutta')).toBe('Asia/Calcutta');
	expect(timeZoneNamed('America/Argentina/Buenos_Aires')).toBe('America/Argentina/Buenos_Aires');
	expect(timeZoneNamed('local')).toBe(systemTimeZone());
	for (const text of ['', 'Berlin', 'CET', '+01:00', 'Europe/Atlantis', 'Europe/Berlin\n', 'EST5EDT'])
		expect(timeZoneNamed(text), text).toBeUndefined();
});
