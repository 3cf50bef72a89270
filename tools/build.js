// Builds dist/ where the sources are newer. Plain JavaScript without dependencies: it runs before anything is built.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
/** What tsconfig.build.json includes, and what says how to build it. */
const SOURCES = [
  'src',
  'adapters',
  'test/harness',
  'test/fuzz',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
]
const MAIN = 'dist/src/cli/main.js'
const BUNDLER = fileURLToPath(new URL('bundle.js', import.meta.url))

/**
 * Returns 'fresh' where dist/ fits the sources, 'built' where it does now, 'failed' where the compiler has found errors (it
 * has printed them), and without a compiler 'stale' or, where there is no dist/ at all, 'missing'.
 *
 * @param {string} root the folder with package.json
 * @returns {'fresh' | 'built' | 'failed' | 'stale' | 'missing'}
 */
export function buildIfStale(root = ROOT) {
  const stamp = join(root, 'dist', '.built')
  const isThere = existsSync(join(root, MAIN))
  if (isThere && existsSync(stamp) && newest(root) <= statSync(stamp).mtimeMs) return 'fresh'
  const compiler = findCompiler(root)
  if (compiler === undefined) return isThere ? 'stale' : 'missing'
  // A source that changes while the compiler runs is newer than the stamp, so the next call builds again.
  const begun = new Date()
  // The compiler's messages go to stderr: stdout belongs to the command that is started.
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) return 'failed'
  for (const folder of ['src', 'adapters']) removeOrphans(root, folder)
  const bundled = spawnSync(process.execPath, [BUNDLER, root], { cwd: root, stdio: ['ignore', 2, 2] })
  if (bundled.status !== 0) return 'failed'
  writeFileSync(stamp, '')
  utimesSync(stamp, begun, begun)
  return 'built'
}

/** When the youngest source was changed, in milliseconds. Folders count: a source that is gone changes only its folder. */
function newest(root) {
  let latest = 0
  const visit = (path) => {
    const stat = statSync(path)
    latest = Math.max(latest, stat.mtimeMs)
    if (stat.isDirectory()) for (const name of readdirSync(path)) visit(join(path, name))
  }
  for (const source of [...SOURCES.map((path) => join(root, path)), BUNDLER]) visit(source)
  return latest
}

function findCompiler(root) {
  try {
    const { resolve } = createRequire(join(root, 'package.json'))
    return join(dirname(resolve('typescript/package.json')), 'bin', 'tsc')
  } catch {
    return undefined
  }
}

/** Removes what the compiler once made of sources that are gone: it would be packed. */
function removeOrphans(root, folder) {
  const built = join(root, 'dist', folder)
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
