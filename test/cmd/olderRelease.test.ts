import {expect, test} from 'vitest';
import {asked} from './askedOutage.ts';

test('of a release whose rules are not known, no page tells a time, a deadline, a rate or what zones and controllers do', async () => {
	const older = '--kubernetes-version v1.12.3';
	const commands = [
		'status',
		'rescue',
		'rescue cart-1 -n shop',
		'zones',
		'what-if --node-down a1',
		'what-if --how-many-more',
	];
	const {texts, errors} = await asked('node-dies', 30, ...commands.map((command) => `${command} ${older}`));
	const [status = '', many = '', one = '', zones = '', whatIf = '', outlook = ''] = texts.map((text) =>
		text.replaceAll(/\n {4,}/g, ' '),
	);
	expect(status).toMatch(/\nWhy not yet: +b2 last renewed its lease 23s ago\n/);
	expect(status).toMatch(/\nOne more node: if a1 of zone <none> fails: - .*more workloads\nEnds:/);
	expect(many).toMatch(/\nshop +cart-1 .* Unsure +not told +-\n/);
	expect(many).not.toMatch(/at once|<5s|may be in time/);
	expect(one).toMatch(
		/\n {2}\* bring its node back; until when is not told \(on node b2\) systemctl restart kubelet\n/,
	);
	expect(zones).toMatch(/\n<none> +Normal +13\/13, but 1 silent +- +-/);
	expect(whatIf).toMatch(/\nZones: +no zone changes its state because of this/);
	expect(outlook).toMatch(/\n<none> +Normal +13\/13, but 1 silent +- +-\n/);
	expect([...texts, ...errors].join('')).not.toContain('if cp1 fails');
});
