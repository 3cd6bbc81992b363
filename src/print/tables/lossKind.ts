import {compareNames} from '../../core/collections/compareNames.ts';
import {nameOf} from '../../core/model/objectName.ts';
import {workloadTitle} from '../../core/model/workloads/workload.ts';
import {someOf} from '../../forecast/words.ts';
import type {SupposedLoss} from '../../impact/supposedLoss.ts';
import type {SupposedLossJson} from '../contract/whatIf.ts';
import {fieldsOf, type KindJson} from '../json/jsonOf.ts';
import {zoneChangesText} from '../whatif/whatIfAnswer.ts';
import {type Column, type Kind, orNone, zoneColumn} from './kind.ts';

/** The losses of a rehearsal: of nodes, or of zones. */
export const losses = (place: 'node' | 'zone'): Kind<SupposedLoss> => ({
	name: 'SupposedLoss',
	singular: place,
	nameTitle: place.toUpperCase(),
	columns: [
		{title: place.toUpperCase(), cell: ({name}) => name},
		...(place === 'node' ? [zoneColumn] : [count('NODES', ({nodes}) => nodes)]),
		count(
			'EVICTED',
			({evicted}) => evicted,
			({unsure}) => unsure,
		),
		count('HELD', ({held}) => held),
		count('STUCK', ({stuck}) => stuck),
		count(
			'TO-ZERO',
			({toZero}) => toZero.length,
			({maybeToZero}) => maybeToZero,
		),
		count('BELOW-BUDGET', ({belowBudget}) => belowBudget.length),
		{title: 'FIRST', drop: 2, cell: ({first}, {countdown}) => (first ? countdown(first) : '-')},
		{title: 'LAST', drop: 1, cell: ({last}, {countdown}) => (last ? countdown(last) : '-')},
		{
			title: 'WORKLOADS',
			isWide: true,
			cell: ({toZero, belowBudget}) => orNone(someOf([...toZero, ...belowBudget].map(workloadTitle), 8)),
		},
		{title: 'ZONES', isWide: true, cell: ({zones}, {now}) => zoneChangesText(zones, now) || '-'},
	],
	keyOf: nameOf,
	nameOf,
	compare: (a, b) => {
		const [one, other] = [harmOf(a), harmOf(b)];
		const rank = one.findIndex((amount, index) => amount !== other[index]);
		return rank < 0 ? compareNames(a.name, b.name) : (other[rank] ?? 0) - (one[rank] ?? 0);
	},
	hasTurned: () => false,
	toJson: (loss) => lossJson(place, loss),
	goneJson: {},
});

/** `3`, or `3-5` if it may be two more. */
const count = (
	title: string,
	of: (loss: SupposedLoss) => number,
	mayBeMore: (loss: SupposedLoss) => number = () => 0,
): Column<SupposedLoss> => ({
	title,
	cell: (loss) => {
		const [least, more] = [of(loss), mayBeMore(loss)];
		return more === 0 ? String(least) : `${least}-${least + more}`;
	},
});

/** What makes a loss worse than another, the most important first. */
const harmOf = ({toZero, maybeToZero, belowBudget, stuck, evicted, unsure, held}: SupposedLoss) => [
	toZero.length,
	maybeToZero,
	belowBudget.length,
	stuck,
	evicted + unsure + held,
];

const lossJson = (place: 'node' | 'zone', loss: SupposedLoss): KindJson<SupposedLossJson> => ({
	metadata: fieldsOf(loss, 'name'),
	place,
	...fieldsOf(loss, 'zone', 'nodes', 'evicted', 'unsure', 'held', 'stuck'),
	...fieldsOf(loss, 'toZero', 'maybeToZero', 'belowBudget', 'first', 'last', 'zones'),
});
