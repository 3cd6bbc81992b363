import {writeFileSync} from 'node:fs';
import {release} from 'node:os';
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

/** Writes a document with a row for each scenario, over all its plays. */
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
- **certain, but stayed**: answers that called a pod certain which had not gone when its range was over, of all that called one so. A range that was not
  over when the play ended, some 25 s after the last eviction, counts as kept.
- **first victim among the first**: answers in which it had place 1, of those that gave anybody place 1 before it went.
- **named ahead**: how long before the first eviction its pod was named first, in each play.

The cgroup that the kubelet takes for its machine is its own: of memory and disk it counts what it, containerd and the pods take. \`processes\` counts all
processes of the machine, so that other programs move it by hundreds. In \`steady leak\` nothing is asked before the pods run. Several suites were played at a time.`;

const unforeseen = `## What is not foretold

- **A leak that has not begun.** Trends are of what was measured: until a pod has grown for three measurements, half a minute, only what it holds is
  known. In the first minute of a pod it may take anything, and ranges begin at once. A range that is told right before an older pod begins to grow may be too late. (The one
  answer above that was, in \`memory, several victims\`, was told in a pod's first minute, before ranges allowed for that.)
- **Which process the kernel kills.** \`oomKills\` tells when a container nears its own limit, and the kernel restarts it in place: nothing is evicted (\`out of memory\`). What
  the kernel does on a node that is out of memory before its kubelet looks is not told.
- **When \`kernelMemcgNotification\` wakes the eviction manager**: it may act as soon as the threshold is crossed, which no client sees; the JSON says
  \`kernelNotification: possible\`, and ranges begin with the crossing.
- **What deleting unused images and dead containers gives back.** A kubelet that is short of disk does that first, also on a dedicated image file system, and may
  evict nobody then. Its thresholds and its ranking (by the layers that pods write) are foretold.
- **The order among pods with as many processes for the kubelet.** Its statistics counted none here, with containerd, so pods of one priority tie: it took \`calm\` with 100 processes
  before \`forker\` with 1,500. They are told with the same place.`;
