import {isDeepStrictEqual} from 'node:util';
import {Random} from '../../../src/core/time/random.ts';
import {type Choose, playScenario} from './playScenario.ts';
import type {KubeletEvent, KubeletScenario, KubeletTrace, KubeletVector, VaryingEvent} from './vector.ts';

/** How often a scenario is played with its pods in another order. */
const shuffles = 60;
/** The maximum number of runs in the search for the random choices that lead to a trace. */
const mostRuns = 4000;

/**
 * Plays a golden trace's scenario through the port, and compares the results. If a real kubelet's result is random, the port
 * must be able to produce every recorded run.
 *
 * @returns the first difference, or undefined
 */
export function checkVector(vector: KubeletVector): string | undefined {
	const targets = vector.variants ?? [vector];
	for (const target of targets) {
		const difference = reach(vector.scenario, target, vector.varyingEvents ?? []);
		if (difference !== undefined) return difference;
	}
	for (const varying of valuesToReach(vector.varyingEvents ?? [])) {
		const difference = reach(vector.scenario, vector, varying);
		if (difference !== undefined) return `${JSON.stringify(varying.at(-1))} is not reached: ${difference}`;
	}
	return checkFirstVictims(vector);
}

/** Each observed value of a varying field, but no refused admission's conditions: the port does not vary their order. */
function valuesToReach(varying: readonly VaryingEvent[]): readonly (readonly VaryingEvent[])[] {
	return varying.flatMap(({index, ...fields}) =>
		Object.entries(fields).flatMap(([field, values]) =>
			(values as readonly unknown[])
				.filter((value) => !String(value).startsWith('The node had condition'))
				.map((value) => [...varying, {index, [field]: [value]}]),
		),
	);
}

/** Searches for random choices with which the port produces a trace; otherwise returns the closest difference. */
function reach(
	scenario: KubeletScenario,
	target: KubeletTrace,
	varying: readonly VaryingEvent[],
): string | undefined {
	let runs = 0;
	let nearest = {index: -1, text: ''};
	const search = (script: readonly number[]): boolean => {
		runs += 1;
		const made: {options: number; eventsBefore: number}[] = [];
		const played = playScenario(scenario, (candidates, eventsBefore) => {
			made.push({options: candidates.length, eventsBefore});
			return script[made.length - 1] ?? 0;
		});
		const miss = firstDifference(target, played, varying);
		if (!miss) return true;
		if (miss.index > nearest.index) nearest = miss;
		// Only a choice before the difference can remove it; the last one is tried first.
		for (let place = made.length - 1; place >= script.length; place--) {
			const choice = made[place];
			if (!choice || choice.eventsBefore > miss.index) continue;
			for (let option = 1; option < choice.options && runs < mostRuns; option++) {
				if (search([...script, ...new Array<number>(place - script.length).fill(0), option])) return true;
			}
		}
		return false;
	};
	return search([]) ? undefined : nearest.text;
}

function firstDifference(want: KubeletTrace, got: KubeletTrace, varying: readonly VaryingEvent[]) {
	const length = Math.max(want.trace.length, got.trace.length);
	for (let index = 0; index < length; index++) {
		const [wanted, made] = [want.trace[index], got.trace[index]];
		const free = varying.filter((entry) => entry.index === index);
		if (!wanted || !made || !matches(wanted, made, free)) {
			return {index, text: `event ${index}: want ${shown(wanted)}, got ${shown(made)}`};
		}
	}
	if (isDeepStrictEqual(want.passes, got.passes)) return undefined;
	return {index: length, text: `passes: want ${want.passes.join(' ')}, got ${got.passes.join(' ')}`};
}

function matches(want: KubeletEvent, got: KubeletEvent, varying: readonly VaryingEvent[]): boolean {
	return [...new Set([...Object.keys(want), ...Object.keys(got)])].every((field) => {
		const allowed = varying.flatMap((entry) => (field in entry ? [entry[field] as readonly unknown[]] : []));
		const isSeen = (values: readonly unknown[]) => values.some((one) => isDeepStrictEqual(one, got[field]));
		if (allowed.length > 0) return allowed.every(isSeen);
		return isDeepStrictEqual(inOneOrder(want[field]), inOneOrder(got[field]));
	});
}

/** The conditions in a refused admission's message are in the order of a Go map, which the port does not vary. */
function inOneOrder(value: unknown): unknown {
	const [, before, conditions, after] =
		/^(The node had condition: \[)([\w ]+)(\].*)$/s.exec(typeof value === 'string' ? value : '') ?? [];
	return conditions === undefined ? value : [before, conditions.split(' ').toSorted(), after];
}

/** Checks the possible first victims with pods in other orders: only recorded ones, unless pods tie. */
function checkFirstVictims({scenario, determinism}: KubeletVector): string | undefined {
	const seen = new Set(determinism.firstVictimsShuffled ?? []);
	const found = new Set<string>();
	const random = new Random(1);
	const pick = (count: number) => Math.floor(random.next() * count);
	for (let run = 0; run < shuffles; run++) {
		const pods = [...(scenario.pods ?? [])];
		for (let i = pods.length - 1; i > 0; i--) {
			const j = pick(i + 1);
			[pods[i], pods[j]] = [pods[j] as (typeof pods)[number], pods[i] as (typeof pods)[number]];
		}
		const choose: Choose = (candidates) => pick(candidates.length);
		const {trace} = playScenario({...scenario, pods}, choose, (events) => events.some(isKill));
		const first = trace.find(isKill);
		if (first) found.add(String(first['pod']));
	}
	const missing = [...seen].filter((pod) => !found.has(pod));
	if (missing.length > 0) return `never the first victim: ${missing.join(', ')}`;
	const extra = determinism.podOrderSensitive ? [] : [...found].filter((pod) => !seen.has(pod));
	return extra.length > 0 ? `should never be the first victim: ${extra.join(', ')}` : undefined;
}

const isKill = ({kind}: KubeletEvent): boolean => kind === 'kill';

const shown = (event: KubeletEvent | undefined) => (event ? JSON.stringify(event) : 'nothing more');
