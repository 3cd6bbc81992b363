import {parseQuantity} from '../../core/model/quantity.ts';
import type {Allocatable, Resources} from '../../core/model/resources.ts';
import {textMapOf} from './rawJson.ts';

/** Reads CPU and memory of a list of quantities; what is not there, or cannot be read, is nothing. */
export function decodeResources(value: unknown): Resources {
	const quantities = textMapOf(value);
	const of = (name: string) => parseQuantity(quantities[name] ?? '') ?? 0;
	return {cpu: Math.round(of('cpu') * 1000), memory: of('memory')};
}

/** Reads what a node has for its pods: CPU, memory, and how many there may be. */
export function decodeAllocatable(value: unknown): Allocatable {
	const pods = parseQuantity(textMapOf(value)['pods'] ?? '');
	return {...decodeResources(value), ...(pods !== undefined && {pods})};
}
