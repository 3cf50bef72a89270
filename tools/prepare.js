// Builds dist/ where the sources are newer: with the tests and the tools in a checkout that has them. An installed package brings
// its dist/.
import { existsSync } from 'node:fs'
import { buildIfStale } from './build.js'

const CONFIG = new URL('../vitest.config.ts', import.meta.url)

const state = buildIfStale(undefined, existsSync(CONFIG) ? 'all' : 'server')
if (state === 'missing' || state === 'stale') {
  console.error(
    'tidegate: dist/ is not built: the TypeScript compiler is a dev dependency, and not installed.',
  )
  console.error('tidegate: run `npm install` with dev dependencies once, or take the published package.')
}
process.exitCode = state === 'failed' ? 1 : 0
