import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../src/package-root.ts'
import { ChildServer } from './child-server.ts'

/** The built command: the tests of processes run what users run. */
export const MAIN: string = fileURLToPath(new URL('dist/src/cli/main.js', packageRoot()))

/** Arguments that keep the ports of tests from colliding. */
export const FREE_PORTS: readonly string[] = [
  '--rest',
  '0',
  '--thrift',
  '0',
  '--rpc',
  '0',
  '--zookeeper',
  '0',
  '--web',
  '0',
]

export function startTidegate(store: string, ...args: readonly string[]): Promise<ChildServer> {
  const defaults = defaultsBeside(args, [...FREE_PORTS, '--log-level', 'silent'])
  return ChildServer.start(MAIN, ['serve', '--store', store, ...defaults, ...args])
}

/** Of `defaults`, pairs of a flag and its value, those whose flag `args` does not have: no flag may be given twice. */
export function defaultsBeside(args: readonly string[], defaults: readonly string[]): string[] {
  return defaults.filter((_, i) => !args.includes(defaults[i - (i % 2)]!))
}

export function makeTemporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'tidegate-test-'))
}

/** A folder that is gone after `work`. */
export async function inTemporaryFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = makeTemporaryFolder()
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
