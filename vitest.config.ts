import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { LONGER_TESTS } from './test/harness/longer-tests.ts'
import { SlowFilesFirst } from './test/harness/slow-files-first.ts'
import { SummaryReporter } from './test/harness/summary-reporter.ts'

const NEVER = ['test/conformance/live/**', 'node_modules/**']

const config: ViteUserConfig = defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'quick', include: ['test/**/*.test.ts'], exclude: [...LONGER_TESTS, ...NEVER] },
      },
      { extends: true, test: { name: 'longer', include: [...LONGER_TESTS], exclude: NEVER } },
    ],
    reporters: ['default', new SummaryReporter()],
    globalSetup: ['test/harness/temporary-files.ts'],
    setupFiles: ['test/harness/vitest-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Vitest's own second is a bound on time that a loaded machine does not keep.
    expect: { poll: { timeout: 25_000 } },
    maxWorkers: 2,
    // The files of a worker share the modules that they import: to load them anew for each file costs as much as the tests.
    // `npx vitest run --isolate` tells whether a failure comes from that.
    isolate: false,
    sequence: { sequencer: SlowFilesFirst },
  },
})

export default config
