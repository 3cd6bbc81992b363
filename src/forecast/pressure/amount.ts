import {formatQuantity} from '../../core/nodepressure/quantities/formatQuantity.ts';
import {int64Of, type Quantity} from '../../core/nodepressure/quantities/quantity.ts';
import {formatOf, type Signal} from '../../core/nodepressure/thresholds/signal.ts';

const units = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'];

/** An amount of a signal for display: bytes with a unit and at most three digits, `1.4Gi`; inodes and processes plain. */
export function formatAmount(amount: bigint | number, signal: Signal): string {
	const value = Number(amount);
	if (formatOf(signal) === 'DecimalSI') return String(Math.round(value));
	const size = Math.abs(value);
	const power = Math.min(units.length - 1, size < 1 ? 0 : Math.floor(Math.log2(size) / 10));
	const scaled = value / 1024 ** power;
	return `${Math.abs(scaled) < 10 && power > 0 ? Number(scaled.toFixed(1)) : Math.round(scaled)}${units[power]}`;
}

/** A threshold as in the kubelet's configuration if that is short, else as for display. */
export function formatThresholdAmount(quantity: Quantity, signal: Signal): string {
	const exact = formatQuantity(quantity);
	return exact.length <= 7 ? exact : formatAmount(int64Of(quantity), signal);
}
