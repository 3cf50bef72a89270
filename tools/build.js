// Builds dist/ where the sources are newer. Plain JavaScript without dependencies: it runs before anything is built.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
/** The compiler's notes on what it has written to dist/ for everything. */
const NOTES = 'dist/.all.tsbuildinfo'
/** Inputs of every build. */
const SETTINGS = ['package.json', 'tsconfig.json', 'tsconfig.build.json']

/** The two builds: the server alone, and everything, which the tests and the tools need. Each leaves a stamp in dist/ that says when it began. */
const BUILDS = {
  server: {
    project: 'tsconfig.build.json',
    options: [],
    stamp: '.built',
    sources: ['src', 'adapters', 'conformance/src', 'test/harness', 'test/fuzz'],
  },
  all: {
    project: 'tsconfig.json',
    // The compiler then does no more than the change since its last run asks for.
    options: ['--incremental', '--tsBuildInfoFile', NOTES],
    stamp: '.built-all',
    sources: ['src', 'adapters', 'conformance/src', 'test', 'load', 'tools', 'examples', 'vitest.config.ts'],
  },
}
const MAIN = 'dist/src/cli/main.js'
const BUNDLER = fileURLToPath(new URL('bundle.js', import.meta.url))

/**
 * Returns 'fresh' where dist/ fits the sources, 'built' where it does now, 'failed' where the compiler has found errors (it
 * has printed them), and without a compiler 'stale' or, where there is no dist/ at all, 'missing'.
 *
 * @param {string} root the folder with package.json
 * @param {'server' | 'all'} wanted what dist/ must have
 * @returns {'fresh' | 'built' | 'failed' | 'stale' | 'missing'}
 */
export function buildIfStale(root = ROOT, wanted = 'server') {
  const { project, options, stamp, sources } = BUILDS[wanted]
  const isThere = existsSync(join(root, MAIN))
  if (isThere && isNewer(join(root, 'dist', stamp), newest(root, sources))) return 'fresh'
  const compiler = findCompiler(root)
  if (compiler === undefined) return isThere ? 'stale' : 'missing'
  // The other build writes the same files, of which these notes would know nothing; and the compiler does not look whether a file
  // that it has noted is still there.
  if (wanted !== 'all' || lacksOutput(root, sources)) rmSync(join(root, NOTES), { force: true })
  // A source that changes while the compiler runs is newer than the stamp, so the next call builds again.
  const begun = new Date()
  // The compiler's messages go to stderr: stdout belongs to the command that is started.
  const { status } = spawnSync(process.execPath, [compiler, '-p', project, ...options], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) return 'failed'
  for (const folder of sources) if (existsSync(join(root, 'dist', folder))) removeOrphans(root, folder)
  const bundled = spawnSync(process.execPath, [BUNDLER, root], { cwd: root, stdio: ['ignore', 2, 2] })
  if (bundled.status !== 0) return 'failed'
  // Everything has the server in it.
  for (const name of wanted === 'all' ? [BUILDS.server.stamp, stamp] : [stamp]) {
    writeFileSync(join(root, 'dist', name), '')
    utimesSync(join(root, 'dist', name), begun, begun)
  }
  return 'built'
}

/** Whether the stamp is as new as the youngest source. */
function isNewer(stamp, changedMs) {
  // A stamp is in whole milliseconds, which the file system may keep as a little less. A source of the same millisecond was there before the
  // compiler read it.
  return existsSync(stamp) && Math.floor(changedMs) <= Math.round(statSync(stamp).mtimeMs)
}

/** When the youngest source was changed, in milliseconds. Folders count: a source that is gone changes only its folder. */
function newest(root, sources) {
  let latest = 0
  const visit = (path) => {
    const stat = statSync(path)
    latest = Math.max(latest, stat.mtimeMs)
    if (!stat.isDirectory()) return
    for (const name of readdirSync(path)) if (name !== 'node_modules') visit(join(path, name))
  }
  for (const source of [...[...sources, ...SETTINGS].map((path) => join(root, path)), BUNDLER]) visit(source)
  return latest
}

/** Whether dist/ lacks the module of a source. */
function lacksOutput(root, sources) {
  return sources.some((source) => {
    const path = join(root, source)
    if (!existsSync(path)) return false
    if (statSync(path).isDirectory()) {
      const names = readdirSync(path).filter((name) => name !== 'node_modules')
      return lacksOutput(
        root,
        names.map((name) => join(source, name)),
      )
    }
    const isModule = source.endsWith('.ts') && !source.endsWith('.d.ts')
    return isModule && !existsSync(join(root, 'dist', source.replace(/\.ts$/, '.js')))
  })
}

function findCompiler(root) {
  return missingCompiler(root) === undefined ? join(dirname(compilerManifest(root)), 'bin', 'tsc') : undefined
}

/** The path of the compiler's package.json; undefined where it is not installed. */
function compilerManifest(root) {
  try {
    return createRequire(join(root, 'package.json')).resolve('typescript/package.json')
  } catch {
    return undefined
  }
}

/**
 * The part that the compiler lacks, and the command that brings it, in one line; undefined where it can run. Since TypeScript 7 the compiler is a
 * program, which lies in an optional package for each platform.
 *
 * @param {string} root the folder with package.json
 * @returns {string | undefined}
 */
export function missingCompiler(root = ROOT) {
  const manifest = compilerManifest(root)
  if (manifest === undefined)
    return 'the TypeScript compiler, a dev dependency, is not installed: run `npm install --include=dev`'
  const { optionalDependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8'))
  const program = `@typescript/typescript-${process.platform}-${process.arch}`
  if (optionalDependencies[program] === undefined) return undefined
  try {
    createRequire(manifest).resolve(`${program}/package.json`)
    return undefined
  } catch {
    return `the TypeScript compiler lacks ${program}, which npm leaves out with --omit=optional: run \`npm install --include=dev --include=optional\``
  }
}

/** Removes what the compiler once made of sources that are gone: it would be packed. */
function removeOrphans(root, folder) {
  const built = join(root, 'dist', folder)
  if (!statSync(built).isDirectory()) return
  for (const entry of readdirSync(built, { withFileTypes: true })) {
    const inner = `${folder}/${entry.name}`
    if (entry.isDirectory()) {
      if (existsSync(join(root, inner))) removeOrphans(root, inner)
      else rmSync(join(built, entry.name), { recursive: true })
    } else if (!existsSync(join(root, inner.replace(/(?:\.d\.ts|\.js)$/, '.ts')))) {
      rmSync(join(built, entry.name))
    }
  }
}
