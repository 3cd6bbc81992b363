import {expect, test} from 'vitest';
import {formatQuantity} from '../../../../src/core/nodepressure/quantities/formatQuantity.ts';
import {parsePercentage} from '../../../../src/core/nodepressure/quantities/parsePercentage.ts';
import {withContainerFsThresholds} from '../../../../src/core/nodepressure/thresholds/containerFsThresholds.ts';
import {parseThresholds} from '../../../../src/core/nodepressure/thresholds/parseThresholds.ts';
import {isHard, thresholdQuantity} from '../../../../src/core/nodepressure/thresholds/threshold.ts';
import {singleFs} from '../../../support/pressure.ts';

test('a soft threshold with a grace period of zero is a hard one', () => {
	const soft = (grace: string) =>
		parseThresholds({
			evictionSoft: {'pid.available': '1k'},
			evictionSoftGracePeriod: {'pid.available': grace},
		});
	expect([...soft('0'), ...soft('1ms')].map(isHard)).toEqual([true, false]);
});

test('a percentage is a float32: 10% of 10000000000 is 1000000014', () => {
	const percentage = parsePercentage('10%');
	expect(formatQuantity(thresholdQuantity({percentage}, 10_000_000_000n))).toBe('1000000014');
});

const configured = parseThresholds({
	evictionHard: {'nodefs.available': '10%', 'containerfs.available': '1Gi', 'imagefs.available': '15%'},
});
const containerFs = (fileSystems: typeof singleFs, thresholds = configured) =>
	withContainerFsThresholds(thresholds, fileSystems)
		.filter(({signal}) => signal.startsWith('containerfs'))
		.map(({signal, operator, value}) => [signal, operator, 'percentage' in value ? value.percentage : '1Gi']);

test('a configured containerfs threshold is wiped out where its file system has none', () => {
	const own = parseThresholds({evictionHard: {'containerfs.available': '1Gi'}});
	expect(containerFs(singleFs, own)[0]).toEqual(['containerfs.available', '', 0]);
});

test('with a containerfs apart and no imagefs apart, nothing is added', () => {
	const odd = {hasDedicatedImageFs: false, hasDedicatedContainerFs: true};
	expect(withContainerFsThresholds(configured, odd)).toBe(configured);
});
