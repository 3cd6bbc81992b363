import {type Duration, type Instant, minute} from '../../core/time/instant.ts';
import {formatTimestamp} from '../../dates/utc.ts';
import type {Alert} from './alert.ts';

export const notifyFormats = ['alertmanager', 'json'] as const;
/** Alertmanager's own API, version 2, or JSON for a webhook of anybody's. */
export type NotifyFormat = (typeof notifyFormats)[number];

/** How often a receiver that lets go of what it does not hear of again is told of what fires, as Prometheus does it. */
export const resendEvery: Duration = minute;
/** How long it believes what it was told last, should this process end without a word. */
const believedFor: Duration = 5 * minute;

/** What a URL takes, by its path. */
export const formatOf = (url: URL): NotifyFormat =>
	url.pathname.endsWith('/api/v2/alerts') ? 'alertmanager' : 'json';

/**
 * Alerts as the body of a POST.
 *
 * @param isResent whether what fires is told again, so that it may be taken for over where it is not
 */
export const bodyOf = (
	format: NotifyFormat,
	alerts: readonly Alert[],
	now: Instant,
	isResent: boolean,
): string =>
	JSON.stringify(
		format === 'alertmanager'
			? alerts.map((alert) => alertmanagerAlert(alert, now))
			: {
					version: 1,
					alerts: alerts.map((alert) => jsonAlert(alert, isResent ? now + believedFor : undefined)),
				},
	);

const alertmanagerAlert = ({name, labels, annotations, startsAt, endsAt}: Alert, now: Instant) => ({
	labels: {alertname: name, ...labels},
	annotations,
	startsAt: formatTimestamp(startsAt),
	endsAt: formatTimestamp(endsAt ?? now + believedFor),
});

const jsonAlert = (
	{key, name, isFiring, labels, annotations, startsAt, endsAt}: Alert,
	believedUntil: Instant | undefined,
) => ({
	id: key,
	name,
	status: isFiring ? 'firing' : 'resolved',
	labels,
	annotations,
	startsAt: formatTimestamp(startsAt),
	endsAt: endsAt === null ? null : formatTimestamp(endsAt),
	...(isFiring && believedUntil !== undefined && {believedUntil: formatTimestamp(believedUntil)}),
});
