import type { Reporter, TestModule } from 'vitest/node'

/** Ends a run with the one line that says how it went: `N passed, N failed`. A file that could not run counts as failed. */
export class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    let passed = 0
    let failed = 0
    for (const module of modules) {
      if (module.errors().length > 0) failed++
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed++
        else if (state === 'failed') failed++
      }
    }
    // After the default reporter's own summary, which is written in the same turn.
    process.once('beforeExit', () => process.stdout.write(`${passed} passed, ${failed} failed\n`))
  }
}
