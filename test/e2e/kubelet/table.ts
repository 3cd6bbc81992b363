import {writeFileSync} from 'node:fs';
import {release} from 'node:os';
import {kubernetesVersion} from '../buildControlPlane.ts';
import {isInside, type Outcome} from '../judge.ts';
import {measure, type Played} from './judge.ts';

/** What one time of one scenario showed. */
export type Figures = ReturnType<typeof measure> & {readonly scenario: string};

export const figuresOf = (played: Played): Figures => ({scenario: played.scenario, ...measure(played)});

/** The same of a silent kubelet, whose pods the control plane deletes. */
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

/** Writes a document with a row for each scenario, over all times that it was played. */
export function writeTable(file: string, figures: readonly Figures[]): void {
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
	writeFileSync(
		file,
		`${[
			'# How accurate the forecasts of node pressure are on a real kubelet',
			`Written by \`npm run lab -- kubelet\`; do not edit. Measured ${new Date().toISOString().slice(0, 10)} with Kubernetes ` +
				`${kubernetesVersion()}, Linux ${release()}, on a machine that others used as well.`,
			method,
			[
				'| Scenario | played | went | inside | certain, but stayed | first victim among the first | named ahead |',
				'| --- | --- | --- | --- | --- | --- | --- |',
				...rows.map((cells) => `| ${cells.join(' | ')} |`),
			].join('\n'),
			unforeseen,
		].join('\n\n')}\n`,
	);
}

const method = `A kubelet with containerd and runc, on a disk of 3 GiB of its own, registers with a control plane that is real as well
(\`test/e2e/kubelet\`). Pods take memory, disk, inodes or processes at a steady pace, \`pressure -w\` follows the node, and each answer is held against the
kubelet's log.

- **went**: evictions, by the instant at which the kubelet decided them. With \`killed\` and \`frozen\` its lease is renewed no more, and
  the control plane taints the node and deletes the pods: then \`pods\` and \`nodes\` are asked every five seconds.
- **inside**: of all times at which a range of one that went was told before, those in which it went within that range, ±1 s.
- **certain, but stayed**: pods that were called certain and had not gone when their range was over, of all that were called so.
- **first victim among the first**: answers in which it had place 1, of those that gave anybody place 1 before it went.
- **named ahead**: how long before the first eviction its pod was named first, in each play.

\`allocatable memory\`, \`disk\`, \`inodes\` and \`storage limits\` see nothing of what else the machine does. \`memory\` and \`processes\` do: other programs
take hundreds of MiB and threads, and give them back.`;

const unforeseen = `## What is not foretold

- **A leak that has not begun.** Trends are of what was measured. Until a pod has grown for three measurements, half a minute, it is known for its use alone.
- **OOM kills by the kernel as such.** \`oomKills\` tells when a container nears its own limit. A node that is out of memory before the
  kubelet looks, and which process the kernel picks then, is not told; nor what another program does with the memory.
- **\`kernelMemcgNotification\`**: the kernel wakes the eviction manager as soon as the threshold is crossed, between two passes. Ranges begin at the crossing
  then, and not with the next pass; that is all that is different.
- **A dedicated image file system**: its thresholds are read, and pods are ranked by the layers that they write. What deleting unused images gives back is not known
  before: the kubelet does that first, and may then evict nobody.`;
