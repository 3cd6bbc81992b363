import {events} from './eventsView.ts';
import {nodes} from './nodesView.ts';
import {nextEvictions, pods} from './podsView.ts';
import {pressure} from './pressureView.ts';
import {problems} from './problemsView.ts';
import {settings} from './settingsView.ts';
import type {AnyTable, ViewName} from './table.ts';
import {workloads} from './workloadsView.ts';
import {zones} from './zonesView.ts';

/** Every view's table, in the order of the number keys. The overview lists the next evictions. */
export const tables: Readonly<Record<ViewName, AnyTable>> = {
	overview: nextEvictions,
	zones,
	nodes,
	pods,
	workloads,
	events,
	settings,
	problems,
	pressure,
};

export const viewNames = Object.keys(tables) as readonly ViewName[];
