// Builds dist/ where the sources are newer: the server at the end of `npm install` in a checkout, and with the argument `all` also
// the tests and the tools. An installed package brings its dist/.
import { buildIfStale } from './build.js'

const state = buildIfStale(undefined, process.argv[2] === 'all' ? 'all' : 'server')
if (state === 'missing' || state === 'stale') {
  console.error(
    'tidegate: dist/ is not built: the TypeScript compiler is a dev dependency, and not installed.',
  )
  console.error('tidegate: run `npm install` with dev dependencies once, or take the published package.')
}
process.exitCode = state === 'failed' ? 1 : 0
