import {createHash} from 'node:crypto';
import {systemTiming} from '../../src/async/timing.ts';
import {systemClock} from '../../src/live/clock.ts';
import type {Divergence} from '../../src/shadow/compare/divergence.ts';
import type {History} from '../../src/shadow/history/history.ts';
import type {Log} from '../../src/shadow/log/log.ts';
import {divergenceAlert} from '../../src/shadow/notify/alert.ts';
import {InheritedAlerts} from '../../src/shadow/notify/divergenceAlerts.ts';
import {EvictionAlerts} from '../../src/shadow/notify/evictionAlerts.ts';
import {formatOf, type NotifyFormat, notifyFormats} from '../../src/shadow/notify/formats.ts';
import {Messenger, type MessengerCounts, type ToldMemory} from '../../src/shadow/notify/messenger.ts';
import type {ShadowListener} from '../../src/shadow/shadowView.ts';
import type {FlagValues} from '../args/options.ts';
import {invalidValue} from '../args/usageError.ts';

/** Whoever is told, and what came of it. */
export type Notifying = {
	readonly listener: Pick<ShadowListener, 'diverged' | 'changed'>;
	readonly counts: () => MessengerCounts;
	/** Tells what waits, as far as it is taken at once. */
	readonly close: () => Promise<void>;
};

export type NotifyParts = {
	readonly flags: FlagValues;
	readonly history: History | undefined;
	readonly log: Log;
	readonly mayTell: () => boolean;
};

/** Tells each URL that the flags name; nobody where they name none. @throws UserError where one is no URL. */
export function startNotifying({flags, history, log, mayTell}: NotifyParts): Notifying {
	const asked = flags.notifyFormat;
	if (asked !== undefined && !isFormat(asked)) {
		throw invalidValue('notify-format', asked, `want ${notifyFormats.join(' or ')}`);
	}
	const messengers = flags.notify.map((text) => {
		const url = urlOf(text);
		// The URL may be secret: the history knows it by its checksum.
		const target = createHash('sha256').update(url.href).digest('hex').slice(0, 16);
		const keyOf = (key: string) => `${target} ${key}`;
		const told = (key: string) => history?.told(keyOf(key));
		const recordTold: ToldMemory['recordTold'] = (all) =>
			history?.recordTold(
				all.map(([key, state]) => [keyOf(key), state]),
				systemClock.now(),
			);
		const timing = {...systemTiming, now: systemClock.now};
		const format = asked ?? formatOf(url);
		const memory = {told, recordTold};
		const resends = format === 'alertmanager' || flags.leaderElect;
		const messenger = new Messenger({
			...{target: {url, tokenFile: flags.notifyTokenFile}, format, memory, timing, log, mayTell, resends},
		});
		const inherited = [...(history?.divergences ?? [])].filter(({id}) => told(id) === 'firing');
		const firing = [...(history?.toldKeys ?? [])].filter((key) => history?.told(key) === 'firing');
		return {
			messenger,
			inherited: new InheritedAlerts(inherited),
			evictions: new EvictionAlerts(
				firing.filter((key) => key.startsWith(`${target} `)).map((key) => key.slice(target.length + 1)),
			),
		};
	});
	const end = new AbortController();
	const running = messengers.map(({messenger}) => messenger.run(end.signal));
	return {
		listener: {
			diverged: (divergence: Divergence) => {
				for (const {messenger, inherited} of messengers) {
					inherited.seen(divergence);
					messenger.tell(divergenceAlert(divergence, systemClock.now()));
				}
			},
			changed: (view) => {
				for (const {messenger, inherited, evictions} of messengers) {
					for (const alert of [...inherited.alertsOf(view), ...evictions.alertsOf(view)])
						messenger.tell(alert);
				}
			},
		},
		counts: () => sumOf(messengers.map(({messenger}) => messenger.counts)),
		close: async () => {
			end.abort();
			await Promise.all(running);
		},
	};
}

const sumOf = (all: readonly MessengerCounts[]): MessengerCounts => ({
	sent: all.reduce((sum, {sent}) => sum + sent, 0),
	failed: all.reduce((sum, {failed}) => sum + failed, 0),
	dropped: all.reduce((sum, {dropped}) => sum + dropped, 0),
});

const isFormat = (text: string): text is NotifyFormat => (notifyFormats as readonly string[]).includes(text);

function urlOf(text: string): URL {
	const url = URL.parse(text);
	// Nothing of it is repeated: it may hold a secret.
	if (!url || !['http:', 'https:'].includes(url.protocol)) {
		throw invalidValue('notify', '...', 'want a URL of http or https');
	}
	if (url.username !== '' || url.password !== '') {
		throw invalidValue('notify', '...', 'credentials in a URL are shown too easily: use --notify-token-file');
	}
	return url;
}
