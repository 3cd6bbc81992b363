import {expect, test, vi} from 'vitest';
import {parseYaml} from '../../src/text/yaml.ts';

test('a key that is a collection becomes text, and the library does not warn of it, which would quote it', () => {
	const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
	try {
		expect(parseYaml('? {token: hush}\n: y\n')).toEqual({'{ token: hush }': 'y'});
		expect(warn).not.toHaveBeenCalled();
	} finally {
		warn.mockRestore();
	}
});
