import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { SummaryReporter } from './test/harness/summary-reporter.ts'

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/conformance/live/**', 'node_modules/**'],
    reporters: ['default', new SummaryReporter()],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
})

export default config
