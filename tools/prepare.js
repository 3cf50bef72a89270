// Builds dist/ where the sources are newer: with the tests and the tools in a checkout that has them. An installed package brings
// its dist/.
import { existsSync } from 'node:fs'
import { buildIfStale, missingCompiler } from './build.js'

const CONFIG = new URL('../vitest.config.ts', import.meta.url)

const state = buildIfStale(undefined, existsSync(CONFIG) ? 'all' : 'server')
if (state === 'missing' || state === 'stale') {
  const whatIs = state === 'missing' ? 'dist/ is not built' : 'dist/ is older than the sources'
  console.error(`tidegate: ${whatIs}: ${missingCompiler()}`)
}
process.exitCode = state === 'failed' ? 1 : 0
