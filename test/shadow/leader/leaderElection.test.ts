import {expect, test} from 'vitest';
import type {LeaseStore, StoredRecord} from '../../../src/cluster/controlplane/leaseWriter.ts';
import {RequestError} from '../../../src/cluster/transport/requestError.ts';
import {type Duration, second} from '../../../src/core/time/instant.ts';
import {LeaderElection} from '../../../src/shadow/leader/leaderElection.ts';
import {createLog} from '../../../src/shadow/log/log.ts';
import {ManualClock} from '../../live/manualClock.ts';

/** The way of one process to the API server: cut, or one on which its next write arrives and the answer does not. */
type Link = {isCut: boolean; losesAnswer: boolean; arrived: number};

/** The lease of an API server: who writes an old version is refused. */
class Shelf {
	stored: StoredRecord | undefined;
	isDown = false;
	/** Who wrote last, in order. */
	readonly holders: string[] = [];
	#version = 0;

	/** Writes some of it, whatever version anybody knows. */
	overwrite(fields: Partial<StoredRecord>): void {
		if (!this.stored) throw new Error('there is no lease');
		this.#version += 1;
		this.stored = {...this.stored, ...fields, resourceVersion: String(this.#version)};
	}

	/** The way of one process to it. */
	store(link: Link): LeaseStore {
		const write = (record: Omit<StoredRecord, 'resourceVersion'>): StoredRecord => {
			this.#version += 1;
			this.stored = {...record, resourceVersion: String(this.#version)};
			if (this.holders.at(-1) !== record.holderIdentity) this.holders.push(record.holderIdentity);
			return this.stored;
		};
		const reach = () => {
			if (this.isDown || link.isCut) throw new RequestError('nothing listens', 'wait');
		};
		const answered = async (record: StoredRecord, signal: AbortSignal) => {
			link.arrived += 1;
			if (!link.losesAnswer) return record;
			link.losesAnswer = false;
			await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
			return record;
		};
		return {
			namespace: 'evictwatch',
			read: async () => {
				reach();
				return this.stored;
			},
			create: async (record, signal) => {
				reach();
				if (this.stored) throw new RequestError('there is one', '', 409);
				return answered(write(record), signal);
			},
			update: async (record, signal) => {
				reach();
				if (record.resourceVersion !== this.stored?.resourceVersion)
					throw new RequestError('changed', '', 409);
				return answered(write(record), signal);
			},
			close: async () => undefined,
		};
	}
}

const log = createLog({format: 'json', level: 'error', now: () => 0, write: () => undefined});

function candidate(clock: ManualClock, shelf: Shelf, identity: string, offset: Duration = 0) {
	const link: Link = {isCut: false, losesAnswer: false, arrived: 0};
	const end = new AbortController();
	const election = new LeaderElection({
		store: shelf.store(link),
		identity,
		// Its own clock may be hours off: only lengths of time count.
		timing: {
			now: () => clock.now() + offset,
			random: () => 0.5,
			sleep: (duration, signal) => clock.sleepUntil(clock.now() + duration, signal),
		},
		log,
	});
	return {election, link, end, run: election.run(end.signal)};
}

test('one of several leads, and keeps leading', async () => {
	const [clock, shelf] = [new ManualClock(), new Shelf()];
	const all = ['a', 'b', 'c'].map((name, index) => candidate(clock, shelf, name, index * 3_600_000));
	for (let at = 1; at <= 300; at += 1) {
		await clock.advanceTo(at * second);
		expect(all.filter(({election}) => election.isLeader)).toHaveLength(1);
	}
	expect(shelf.holders).toEqual(['a']);
	expect(shelf.stored?.leaseTransitions).toBe(0);
	expect(all.map(({election}) => election.leader)).toEqual(['a', 'a', 'a']);
});

test('who cannot renew leads no more before another does', async () => {
	const [clock, shelf] = [new ManualClock(), new Shelf()];
	const [a, b] = [candidate(clock, shelf, 'a'), candidate(clock, shelf, 'b')];
	await clock.advanceTo(20 * second);
	a.link.isCut = true;
	let tookOver: Duration | undefined;
	for (let at = 20_000; at < 60_000; at += 100) {
		await clock.advanceTo(at);
		expect([a, b].filter(({election}) => election.isLeader).length).toBeLessThanOrEqual(1);
		if (b.election.isLeader) tookOver ??= at - 20_000;
	}
	expect(tookOver).toBeGreaterThan(10 * second);
	expect(tookOver).toBeLessThan(25 * second);
	a.link.isCut = false;
	await clock.advanceTo(120_000);
	expect([a.election.isLeader, b.election.isLeader]).toEqual([false, true]);
	expect(shelf.stored?.leaseTransitions).toBe(1);
});

test('who ends gives the lease back, and another need not wait until it runs out', async () => {
	const [clock, shelf] = [new ManualClock(), new Shelf()];
	const [a, b] = [candidate(clock, shelf, 'a'), candidate(clock, shelf, 'b')];
	await clock.advanceTo(20 * second);
	a.end.abort();
	await a.run;
	expect(shelf.stored).toMatchObject({holderIdentity: '', leaseDurationSeconds: 1});
	await clock.advanceTo(26 * second);
	expect([a.election.isLeader, b.election.isLeader]).toEqual([false, true]);
});

test.for([
	{what: 'a first claim', renewals: 0},
	{what: 'a renewal', renewals: 3},
])('$what that the end cuts off after it arrived is given back as well', async ({renewals}) => {
	const [clock, shelf] = [new ManualClock(), new Shelf()];
	const {link, end, run} = candidate(clock, shelf, 'a');
	link.losesAnswer = renewals === 0;
	for (let at = 1; link.arrived < 1 + renewals; at += 1) {
		if (link.arrived === renewals) link.losesAnswer = true;
		await clock.advanceTo(at * second);
	}
	expect(shelf.stored?.holderIdentity).toBe('a');
	end.abort();
	await run;
	expect(shelf.stored).toMatchObject({holderIdentity: '', leaseDurationSeconds: 1});
});

test('a last word that comes while the lease is given back keeps it from nobody; what another has is left alone', async () => {
	const [clock, shelf] = [new ManualClock(), new Shelf()];
	const a = candidate(clock, shelf, 'a');
	await clock.advanceTo(5 * second);
	shelf.overwrite({});
	a.end.abort();
	await a.run;
	expect(shelf.stored?.holderIdentity).toBe('');
	const b = candidate(clock, shelf, 'b');
	await clock.advanceTo(15 * second);
	expect(b.election.isLeader).toBe(true);
	shelf.overwrite({holderIdentity: 'c'});
	b.end.abort();
	await b.run;
	expect(shelf.stored?.holderIdentity).toBe('c');
});

test('while the API server is gone for a while nobody leads, and then one does again', async () => {
	const [clock, shelf] = [new ManualClock(), new Shelf()];
	const all = [candidate(clock, shelf, 'a'), candidate(clock, shelf, 'b')];
	await clock.advanceTo(20 * second);
	shelf.isDown = true;
	await clock.advanceTo(31 * second);
	expect(all.some(({election}) => election.isLeader)).toBe(false);
	shelf.isDown = false;
	await clock.advanceTo(40 * second);
	expect(all.filter(({election}) => election.isLeader)).toHaveLength(1);
});

test('a process that slept past its deadline does not think that it leads', async () => {
	const [clock, shelf] = [new ManualClock(), new Shelf()];
	const {election} = candidate(clock, shelf, 'a');
	await clock.advanceTo(5 * second);
	expect(election.isLeader).toBe(true);
	clock.spend(60 * second);
	expect(election.isLeader).toBe(false);
});
