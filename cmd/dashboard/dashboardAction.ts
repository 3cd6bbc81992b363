import {systemEnvironment} from '../../src/cluster/access/environment.ts';
import type {Cluster} from '../../src/cluster/cluster.ts';
import {unique} from '../../src/core/collections/unique.ts';
import {type Duration, second} from '../../src/core/time/instant.ts';
import type {ClusterForecast} from '../../src/impact/clusterForecast.ts';
import {systemClock} from '../../src/live/clock.ts';
import {clusters as kind} from '../../src/print/tables/clusterKind.ts';
import {Table} from '../../src/print/tables/table.ts';
import {UserError} from '../../src/text/userError.ts';
import type {DashboardEnd} from '../../src/ui/app/runDashboard.tsx';
import {LeftScreens} from '../../src/ui/state/uiState.ts';
import type {Options} from '../args/options.ts';
import {type ChosenContext, dashboardContexts} from '../clusters/chosenContexts.ts';
import {FollowedFleet} from '../clusters/followedFleet.ts';
import {withinLimits} from '../clusters/member.ts';
import {processTerminal} from '../output/terminal.ts';
import {TerminalLock} from '../output/terminalLock.ts';
import {reach} from '../sources/reading.ts';
import {startingAnew} from '../sources/startingAnew.ts';
import {type CommandScreen, commandScreen} from './dashboardTerminal.ts';
import {type OpenCluster, openCluster} from './openCluster.ts';

const chooseCluster = 'evictwatch: choose a cluster';

/** The command without a name, on a terminal: the dashboard, of one cluster after another. */
export async function dashboard(options: Options): Promise<number> {
	const contexts = await dashboardContexts(options);
	const lock = new TerminalLock();
	// The cluster shown first has a follower of its own.
	const fleet = new FollowedFleet(
		contexts.asked.filter((one) => one !== contexts.first),
		options,
	);
	const screen = commandScreen(options, (lend) => lock.drawnBy(lend));
	const clusters = new Clusters(options, screen, contexts.all.length > 1, lock);
	try {
		for (let shown = contexts.first, next = shown, isFirst = true; ; isFirst = false) {
			let title = chooseCluster;
			let filter = '';
			try {
				if (!isFirst) await clusters.open(next);
				fleet.leaveTo(next.name);
				shown = next;
				const end = await clusters.show(shown);
				if (end.menu === undefined) return end.exitCode;
				filter = end.menu;
			} catch (error) {
				// If one cluster cannot be read, the others can still be shown.
				if (!(error instanceof UserError) || (isFirst && contexts.asked.length < 2)) throw error;
				title = `${next.name}: ${error.message}`;
				fleet.takeBack(next.name);
			}
			const menu = {
				title,
				...clusterChoices(contexts.all, fleet, clusters),
				first: shown.name,
				filter,
				verb: 'open',
			};
			const {choice, exitCode, isLeft} = await screen.choose(menu, clusters.left.last);
			lock.drawnBy(undefined);
			if (isLeft) return exitCode;
			next = contexts.all.find(({name}) => name === choice?.name) ?? shown;
		}
	} finally {
		await Promise.all([fleet.end(), clusters.close()]);
		await processTerminal.printError(lock.takeWords());
	}
}

/** After this time without an answer, the switch to a cluster fails and another can be chosen. */
const switchSilence: Duration = 5 * second;

/** The clusters opened so far. Each is followed further while another is shown, and reappears as it was left. */
class Clusters {
	readonly #options: Options;
	readonly #screen: CommandScreen;
	readonly #hasMenu: boolean;
	readonly #lock: TerminalLock;
	readonly #connected = new Map<string, Cluster>();
	readonly #open = new Map<string, OpenCluster>();
	readonly left = new LeftScreens();

	constructor(options: Options, screen: CommandScreen, hasMenu: boolean, lock: TerminalLock) {
		this.#options = options;
		this.#screen = screen;
		this.#hasMenu = hasMenu;
		this.#lock = lock;
	}

	get(name: string): OpenCluster | undefined {
		return this.#open.get(name);
	}

	/** Opens a cluster with a short timeout, as the user can go back. @throws UserError if it cannot be read */
	async open({name, flags}: ChosenContext): Promise<void> {
		if (this.#open.has(name)) return;
		const cluster = await this.#connect(name, flags);
		await processTerminal.replaceLine(`connecting to ${name} at ${new URL(cluster.server).host}`);
		const begun = openCluster(cluster, {...this.#options, flags}, name);
		try {
			this.#open.set(name, await withinLimits(cluster, begun, switchSilence));
		} catch (error) {
			begun.then((late) => late.close()).catch(() => undefined);
			throw error;
		} finally {
			await processTerminal.replaceLine('');
		}
	}

	async #connect(name: string, flags: Options['flags']): Promise<Cluster> {
		const cluster = this.#connected.get(name) ?? (await reach(flags, this.#lock.around(systemEnvironment())));
		this.#connected.set(name, cluster);
		return cluster;
	}

	/** Shows a cluster until it is left; starts again if another cluster answers at its address. */
	async show({name, flags}: ChosenContext): Promise<DashboardEnd> {
		const cluster = await this.#connect(name, flags);
		const never = new AbortController().signal;
		return startingAnew({...this.#options, flags}, never, async (own) => {
			const title = own.flags.context ?? new URL(cluster.server).host;
			const open = this.#open.get(name) ?? (await openCluster(cluster, own, title));
			this.#open.set(name, open);
			try {
				return await this.#onScreen(name, open, own);
			} catch (error) {
				this.#open.delete(name);
				await open.close();
				throw error;
			}
		});
	}

	async #onScreen(name: string, open: OpenCluster, {flags}: Options): Promise<DashboardEnd> {
		const stop = new AbortController();
		const followed = open.followed.finally(() => stop.abort());
		followed.catch(() => undefined);
		const left = this.left.stateOf(name, flags.namespace);
		const {namespace} = flags;
		const shown = {source: open.source, namespace, left, hasMenu: this.#hasMenu};
		const end = await this.#screen.show(shown, stop.signal).finally(() => this.#lock.drawnBy(undefined));
		this.left.leave(name, end.left);
		if (stop.signal.aborted) await followed;
		return end;
	}

	/** Closes all of them. @throws UserError if a recording could not be finished */
	async close(): Promise<void> {
		await Promise.all([...this.#open.values()].map((one) => one.close()));
		await Promise.all([...this.#connected.values()].map((one) => one.close()));
	}
}

/**
 * The rows of the cluster menu: followed clusters with their numbers, others by name only, without a request. The order
 * stays as it was when the menu opened, so that no row moves under the cursor.
 */
function clusterChoices(contexts: readonly ChosenContext[], fleet: FollowedFleet, opened: Clusters) {
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
	const order = unique([...read(), ...contexts].map(({name}) => name));
	return {
		header: () => rows(read())[0] ?? '',
		choices: () => {
			const members = read();
			const [, ...lines] = rows(members);
			const titles = new Map(members.map(({name}, index) => [name, lines[index] ?? '']));
			return order.map((name) => ({name, title: titles.get(name) ?? 'not queried; Enter queries it'}));
		},
	};
}
