import {open} from 'node:fs/promises';
import {expect, test} from 'vitest';
import {saverOf} from '../../../cmd/dashboard/saver.ts';
import {recordingInto} from '../../../src/recording/format/recordingFile.ts';

const header = () => ({program: 'v0', title: 'test', isPartial: false, kubernetesVersion: 'v1.36.3'});

test.skipIf(process.platform !== 'linux')('a full disk is told at once, and again at the end', async () => {
	// Every write to this device fails with no space.
	const full = async (name: string) => recordingInto(await open('/dev/full', 'w'), name);
	const saver = saverOf(Date.now, header, full);
	const failed = Promise.withResolvers<unknown>();
	expect(await saver.save(failed.resolve)).toMatch(/^recording to evictwatch-/);
	const words = /^cannot write to evictwatch-\S+ any more: ENOSPC/;
	expect(await failed.promise).toMatchObject({name: 'UserError', message: expect.stringMatching(words)});
	await expect(saver.close()).rejects.toThrow(words);
});
