import {release} from 'node:os';
import {writeSection} from '../../support/pageSection.ts';
import {kubernetesVersion} from '../buildControlPlane.ts';
import {isInside, type Outcome} from '../judge.ts';
import {measure, type Played} from './judge.ts';

/** The figures of one play of a scenario. */
export type Figures = ReturnType<typeof measure> & {readonly scenario: string};

export const figuresOf = (played: Played): Figures => ({scenario: played.scenario, ...measure(played)});

/** The same for a silent kubelet, whose pods the control plane deletes. */
export function figuresOfSilence(scenario: string, outcomes: readonly Outcome[]): Figures {
	const predictions = outcomes.flatMap(({at, predictions}) =>
		predictions.map(({range}) => isInside(at, range)),
	);
	const leads = outcomes.map(({at, predictions: [first]}) => (first ? at - first.observedAt : 0));
	return {
		scenario,
		victims: outcomes.map(({subject}) => subject),
		named: predictions.length,
		inside: predictions.filter(Boolean).length,
		certain: 0,
		stayed: 0,
		rightFirst: 0,
		saidFirst: 0,
		lead: Math.min(...leads),
	};
}

/** Writes a table with a row for each scenario, over all its plays, into a page. */
export function writeTable(page: string, figures: readonly Figures[]): void {
	const rows = [...Map.groupBy(figures, ({scenario}) => scenario)].map(([scenario, times]) => {
		const sum = (count: (one: Figures) => number) => times.reduce((total, one) => total + count(one), 0);
		const leads = times.filter(({victims}) => victims.length > 0).map(({lead}) => Math.round(lead / 1000));
		return [
			scenario,
			times.length,
			sum(({victims}) => victims.length),
			`${sum(({inside}) => inside)} of ${sum(({named}) => named)}`,
			`${sum(({stayed}) => stayed)} of ${sum(({certain}) => certain)}`,
			`${sum(({rightFirst}) => rightFirst)} of ${sum(({saidFirst}) => saidFirst)}`,
			leads.length > 0 ? leads.map((lead) => `${lead} s`).join(', ') : 'none',
		];
	});
	writeSection(
		page,
		'kubelet',
		[
			`Measured ${new Date().toISOString().slice(0, 10)} with Kubernetes ${kubernetesVersion()}, Linux ${release()}.`,
			[
				'| Scenario | played | evicted | inside | certain, but stayed | first victim among the first | named ahead |',
				'| --- | --- | --- | --- | --- | --- | --- |',
				...rows.map((cells) => `| ${cells.join(' | ')} |`),
			].join('\n'),
		].join('\n\n'),
	);
}
