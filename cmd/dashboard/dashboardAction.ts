import {systemEnvironment} from '../../src/cluster/access/environment.ts';
import type {Cluster} from '../../src/cluster/cluster.ts';
import {type Duration, second} from '../../src/core/time/instant.ts';
import {clusters as kind} from '../../src/print/tables/clusterKind.ts';
import {UserError} from '../../src/text/userError.ts';
import type {DashboardEnd} from '../../src/ui/app/runDashboard.tsx';
import {LeftScreens} from '../../src/ui/state/uiState.ts';
import {clusterMenu} from '../../src/ui/views/menus.ts';
import type {AnyTable} from '../../src/ui/views/table.ts';
import type {Options} from '../args/options.ts';
import {type ChosenContext, dashboardContexts} from '../clusters/chosenContexts.ts';
import {type FollowedFleet, followFleet} from '../clusters/followedFleet.ts';
import {withinLimits} from '../clusters/member.ts';
import {processTerminal} from '../output/terminal.ts';
import {type TerminalLock, terminalLock} from '../output/terminalLock.ts';
import {reach} from '../sources/reading.ts';
import {startingAnew} from '../sources/startingAnew.ts';
import {type CommandScreen, commandScreen} from './dashboardTerminal.ts';
import {type OpenCluster, openCluster} from './openCluster.ts';

/** The command without a name, on a terminal: the dashboard, of one cluster after another. */
export async function dashboard(options: Options) {
	const contexts = await dashboardContexts(options);
	const lock = terminalLock();
	// The cluster shown first has a follower of its own.
	const fleet = followFleet(
		contexts.asked.filter((one) => one !== contexts.first),
		options,
	);
	const screen = commandScreen(options, (lend) => lock.drawnBy(lend));
	const menuAt = (first: string) => clusterMenu(() => clusterChoices(contexts.all, fleet, clusters), first);
	const clusters = openedClusters(options, screen, contexts.all.length > 1 ? menuAt : undefined, lock);
	try {
		for (let shown = contexts.first, next = shown, isFirst = true; ; isFirst = false) {
			let end: DashboardEnd;
			try {
				if (!isFirst) await clusters.open(next);
				fleet.leaveTo(next.name);
				shown = next;
				end = await clusters.show(shown);
			} catch (error) {
				// If one cluster cannot be read, the others can still be shown.
				if (!(error instanceof UserError) || (isFirst && contexts.asked.length < 2)) throw error;
				fleet.takeBack(next.name);
				end = await screen.choose(menuAt(shown.name), `${next.name}: ${error.message}`, clusters.left.last);
				lock.drawnBy(undefined);
			}
			const {chosen, exitCode, left} = end;
			if (!left) return exitCode;
			next = contexts.all.find(({name}) => name === chosen) ?? shown;
		}
	} finally {
		await Promise.all([fleet.end(), clusters.close()]);
		await processTerminal.printError(lock.takeWords());
	}
}

/** After this time without an answer, the switch to a cluster fails and another can be chosen. */
const switchSilence: Duration = 5 * second;

type OpenedClusters = ReturnType<typeof openedClusters>;

/** The clusters opened so far. Each is followed further while another is shown, and reappears as it was left. */
function openedClusters(
	options: Options,
	screen: CommandScreen,
	menuAt: ((first: string) => AnyTable) | undefined,
	lock: TerminalLock,
) {
	const connected = new Map<string, Cluster>();
	const opened = new Map<string, OpenCluster>();
	const left = new LeftScreens();

	const connect = async ({name, flags}: ChosenContext): Promise<Cluster> => {
		const cluster = connected.get(name) ?? (await reach(flags, lock.around(systemEnvironment())));
		connected.set(name, cluster);
		return cluster;
	};

	const onScreen = async (name: string, open: OpenCluster, {namespace}: Options['flags']) => {
		const stop = new AbortController();
		const followed = open.followed.finally(() => stop.abort());
		followed.catch(() => undefined);
		const shown = {source: open.source, namespace, left: left.stateOf(name, namespace), menu: menuAt?.(name)};
		const end = await screen.show(shown, stop.signal).finally(() => lock.drawnBy(undefined));
		left.leave(name, end.left);
		if (stop.signal.aborted) await followed;
		return end;
	};

	return {
		left,
		get: (name: string) => opened.get(name),
		/** Opens a cluster with a short timeout, as the user can go back. @throws UserError if it cannot be read */
		async open(context: ChosenContext) {
			const {name, flags} = context;
			if (opened.has(name)) return;
			const cluster = await connect(context);
			await processTerminal.replaceLine(`connecting to ${name} at ${new URL(cluster.server).host}`);
			const begun = openCluster(cluster, {...options, flags}, name);
			try {
				opened.set(name, await withinLimits(cluster, begun, switchSilence));
			} catch (error) {
				begun.then((late) => late.close()).catch(() => undefined);
				throw error;
			} finally {
				await processTerminal.replaceLine('');
			}
		},
		/** Shows a cluster until it is left; starts again if another cluster answers at its address. */
		async show(context: ChosenContext): Promise<DashboardEnd> {
			const {name, flags} = context;
			const cluster = await connect(context);
			const never = new AbortController().signal;
			return startingAnew({...options, flags}, never, async (own) => {
				const title = flags.context ?? new URL(cluster.server).host;
				const open = opened.get(name) ?? (await openCluster(cluster, own, title));
				opened.set(name, open);
				try {
					return await onScreen(name, open, flags);
				} catch (error) {
					opened.delete(name);
					await open.close();
					throw error;
				}
			});
		},
		/** Closes all of them. @throws UserError if a recording could not be finished */
		async close() {
			await Promise.all([...opened.values()].map((one) => one.close()));
			await Promise.all([...connected.values()].map((one) => one.close()));
		},
	};
}

/** The rows of the cluster menu: followed clusters with their numbers, others by name only, without a request. */
function clusterChoices(contexts: readonly ChosenContext[], fleet: FollowedFleet, opened: OpenedClusters) {
	const open = contexts.flatMap(({name}) => opened.get(name)?.asMember(name) ?? []);
	const followed = fleet.view().clusters.filter(({name}) => !opened.get(name));
	const members = [...open, ...followed].toSorted(kind.compare);
	const others = contexts.filter(({name}) => members.every((member) => member.name !== name));
	return [...members.map((member) => ({name: member.name, member})), ...others.map(({name}) => ({name}))];
}
