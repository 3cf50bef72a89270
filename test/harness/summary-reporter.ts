import { readdirSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/**
 * Ends a run with the one line that says how it went: `N passed, N failed`. A file that could not run counts as failed, and
 * so does a temporary file that the tests leave behind (temporary-files.ts gives the run its folder).
 */
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
    // Where no file of tests matches, vitest sets up nothing, and the folder is the machine's.
    const folder = process.env['TIDEGATE_TESTS_FOLDER']
    const left = folder === undefined ? [] : readdirSync(folder)
    failed += left.length
    // After the default reporter's own summary, which is written in the same turn.
    process.once('beforeExit', () => {
      if (left.length > 0) {
        process.exitCode = 1
        process.stdout.write(`Tests left temporary files behind: ${left.join(', ')}\n`)
      }
      process.stdout.write(`${passed} passed, ${failed} failed\n`)
    })
  }
}
