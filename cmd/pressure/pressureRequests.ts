import {saneQuantity} from '../../src/cluster/kubelet/decodeNodePod.ts';
import {int64Of} from '../../src/core/nodepressure/quantities/quantity.ts';
import {isSignal, type Signal, signals} from '../../src/core/nodepressure/thresholds/signal.ts';
import {invalidValue} from '../args/usageError.ts';

/** What is supposed to be left of a signal: an amount, or a share of the capacity. */
type SupposedAmount = {readonly amount: bigint} | {readonly share: number};

/** What `--pressure` supposes of a node. */
export type PressureRequest = {
	readonly node: string;
	readonly signal: Signal;
	readonly left: SupposedAmount;
	/** As it was written, for what is told of it. */
	readonly text: string;
};

/**
 * Reads the values of `--pressure`: `n1=memory.available=50Mi`, `n1=nodefs.available=3%`.
 *
 * @throws UserError where one cannot be understood
 */
export const pressureRequests = (texts: readonly string[]): readonly PressureRequest[] =>
	texts.map((text) => {
		const [, node = '', signal = '', amount = ''] = /^([^=]+)=([^=]+)=([^=]+)$/.exec(text) ?? [];
		if (node === '')
			throw invalidValue('pressure', text, 'want NODE=SIGNAL=AMOUNT, as in n1=memory.available=50Mi');
		if (!isSignal(signal))
			throw invalidValue('pressure', text, `want one of the signals ${signals.join(', ')}`);
		return {node, signal, left: amountOf(text, amount), text: amount};
	});

function amountOf(text: string, amount: string): SupposedAmount {
	const share = /^(\d+(?:\.\d+)?)%$/.exec(amount)?.[1];
	if (share !== undefined && Number(share) <= 100) return {share: Number(share) / 100};
	const quantity = share === undefined ? saneQuantity(amount) : undefined;
	if (!quantity) throw invalidValue('pressure', text, 'want an amount such as 50Mi, 1000 or 3%');
	const bytes = int64Of(quantity);
	// Below zero is what a cgroup over its limit has left; nobody supposes that.
	if (bytes < 0n) throw invalidValue('pressure', text, 'what is left cannot be less than nothing');
	return {amount: bytes};
}
