import type {Reporter, TestModule} from 'vitest/node';

/** Prints the summary line that all suites of this project print at the end of a run. */
export class CountReporter implements Reporter {
	onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
		let [passed, failed] = [0, errors.length];
		for (const module of modules) {
			if (module.errors().length > 0) failed += 1;
			for (const test of module.children.allTests()) {
				if (test.result().state === 'passed') passed += 1;
				if (test.result().state === 'failed') failed += 1;
			}
		}
		console.log(`${passed} passed, ${failed} failed`);
	}
}
