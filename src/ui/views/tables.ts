import {events} from './events.ts';
import {nodes} from './nodes.ts';
import {nextEvictions, pods} from './pods.ts';
import {pressure} from './pressure.ts';
import {problems} from './problems.ts';
import {settings} from './settings.ts';
import type {AnyTable, ViewName} from './table.ts';
import {workloads} from './workloads.ts';
import {zones} from './zones.ts';

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
