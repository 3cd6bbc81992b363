import type {ClusterForecast} from '../../src/impact/clusterForecast.ts';
import {systemClock} from '../../src/live/clock.ts';
import {clusters as kind} from '../../src/print/tables/clusters.ts';
import {Table} from '../../src/print/tables/table.ts';
import type {ChosenContext} from '../clusters/chosenContexts.ts';
import type {FollowedFleet} from '../clusters/followedFleet.ts';
import type {OpenCluster} from './openCluster.ts';

/** Clusters that were opened, by their contexts. */
type Opened = {get(name: string): OpenCluster | undefined};

/** What a menu of clusters shows: those that are read with their numbers, and the others by name: none is asked for it. */
export function clusterChoices(contexts: readonly ChosenContext[], fleet: FollowedFleet, opened: Opened) {
	const read = (): readonly ClusterForecast[] => {
		const followed = fleet.view().clusters.filter(({name}) => !opened.get(name));
		const open = contexts.flatMap(({name}) => opened.get(name)?.asMember(name) ?? []);
		return [...open, ...followed].toSorted(kind.compare);
	};
	const rows = (members: readonly ClusterForecast[]) => {
		const columns = kind.columns.filter(({title}) => title !== kind.nameTitle);
		const table = new Table({columns}, {isWide: false, showHeaders: true});
		return table.rows(members, systemClock.now()).trimEnd().split('\n');
	};
	return {
		header: () => rows(read())[0] ?? '',
		choices: () => {
			const members = read();
			const [, ...lines] = rows(members);
			const known = members.map(({name}, index) => ({name, title: lines[index] ?? ''}));
			const names = new Set(known.map(({name}) => name));
			const others = contexts.filter(({name}) => !names.has(name));
			return [...known, ...others.map(({name}) => ({name, title: 'not queried; Enter queries it'}))];
		},
	};
}
