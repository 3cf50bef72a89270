import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const MODULE = 'go.k6.io/k6'
const VERSION = 'v1.8.1'

/**
 * The path of k6: the variable K6, or one that was compiled before, or a new one from Go's proxy, which takes two minutes. Throws
 * where it can neither be found nor made.
 */
export function k6Program(): string {
  const given = process.env['K6']
  if (given !== undefined) {
    if (!existsSync(given)) throw new Error(`K6 names ${given}, which is not there`)
    return given
  }
  const folder = join(homedir(), '.cache', 'tidegate', `k6-${VERSION}`)
  const program = join(folder, 'k6')
  if (existsSync(program)) return program
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0) {
    throw new Error(
      `k6 is not there, and nor is Go, which would make it: install Go, or name a k6 by the variable K6`,
    )
  }
  mkdirSync(folder, { recursive: true })
  process.stderr.write(`compiling ${MODULE}@${VERSION} into ${folder}: two minutes, once\n`)
  execFileSync('go', ['install', `${MODULE}@${VERSION}`], {
    env: { ...process.env, GOBIN: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return program
}
