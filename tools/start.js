// `npm start`: builds where the sources are newer than dist/, as after a git pull, then is `tidegate serve` in this process.
import { buildIfStale, missingCompiler } from './build.js'

const MAIN = new URL('../dist/src/cli/main.js', import.meta.url)
const NPM_FLAGS = new URL('../dist/src/cli/npm-flags.js', import.meta.url)

const launcher = process.ppid
const state = buildIfStale()
if (state === 'built') console.error('tidegate: the sources were newer than dist/, which is built anew')
if (state === 'stale') {
  console.error(`tidegate: starting dist/ as it is, although the sources are newer: ${missingCompiler()}`)
}
if (state === 'missing') {
  console.error(`tidegate: not started: dist/ is not built: ${missingCompiler()}`)
}
if (state === 'failed') console.error('tidegate: not started: the sources do not compile')
// A signal that came during the build has ended npm, or its shell, and not this process.
const isOrphan = process.env.npm_lifecycle_event !== undefined && process.ppid !== launcher
if (state === 'missing' || state === 'failed' || isOrphan) process.exitCode = 1
else {
  const { flagsTakenByNpm } = await import(NPM_FLAGS.href)
  const taken = flagsTakenByNpm(process.env)
  if (taken.length > 0) {
    const flags = taken.join(' ')
    console.error(`tidegate: not started: npm has kept ${flags} for itself: write npm start -- ${flags} ...`)
    process.exitCode = 2
  } else {
    process.argv.splice(2, 0, 'serve')
    await import(MAIN.href)
  }
}
