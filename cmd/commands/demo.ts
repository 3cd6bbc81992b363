import {controllerFlags} from '../args/flagGroups/controllerFlags.ts';
import {playingFlags, screenFlags} from '../args/flagGroups/screenFlags.ts';
import type {FlagTable} from '../args/flagSpec.ts';
import type {Options} from '../args/options.ts';
import {hasScreen} from '../output/terminal.ts';
import type {Command} from './command.ts';

const own = {
	serve: {
		type: 'string',
		optionalValue: /^\d+$/,
		help: 'Serve the API of the simulated cluster on this port of 127.0.0.1, for any client; it prints when the outage starts.',
	},
	list: {type: 'boolean', help: 'List the scenarios.'},
} as const satisfies FlagTable;

/** A simulated outage: the dashboard on a terminal, else an account of the first deletion. */
export const demo = {
	aliases: [],
	summary: 'Play a simulated outage; no cluster is needed',
	description: [
		'On a terminal it opens the dashboard. With --serve it serves the simulated cluster, to be read only, for evictwatch, kubectl and k9s:',
		'in a second shell, run "kubectl evictwatch status -s http://127.0.0.1:8001".',
	],
	usage: ['[SCENARIO] [--speed N]', '[SCENARIO] --serve [PORT]', '--list'],
	examples: [
		['Choose an outage and watch it in the dashboard', 'demo'],
		['List the outages', 'demo --list'],
		['Serve an outage, to look at it from a second shell', 'demo node-dies --serve 8001'],
	],
	outputs: [],
	flags: {...own, ...playingFlags, ...screenFlags, ...controllerFlags},
	completes: 'scenarios',
	async run(options: Options<typeof own>, terminal) {
		const {defaultScenario, demoPlan, scenarioList} = await import('../demo/demoPlan.ts');
		const plan = demoPlan(options.names, options.flags);
		switch (plan.type) {
			case 'list':
				await terminal.print(scenarioList());
				return 0;
			case 'serve': {
				const {serveDemo} = await import('../demo/serveDemo.ts');
				return serveDemo(plan, options.timeZone, terminal);
			}
			case 'play': {
				if (hasScreen()) {
					const {demoDashboard} = await import('../demo/demoDashboard.ts');
					return demoDashboard(plan.scenario, plan.speed, options);
				}
				const {printFirstDeletion} = await import('../demo/demoStory.ts');
				return printFirstDeletion(plan.scenario ?? defaultScenario, plan.speed, options, terminal);
			}
		}
	},
} as const satisfies Command;
