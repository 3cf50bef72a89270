/** A Linux control group that limits the memory of the processes in it, version 1 or 2. It takes root. */

import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = '/sys/fs/cgroup'
const V1 = join(ROOT, 'memory')

interface Names {
  readonly limit: string
  /** The field of memory.stat that counts memory which is not files'. */
  readonly resident: RegExp
  /** Absent in old kernels' version 2. */
  readonly peak: string
}

const NAMES: Readonly<Record<1 | 2, Names>> = {
  1: { limit: 'memory.limit_in_bytes', resident: /^rss (\d+)$/m, peak: 'memory.max_usage_in_bytes' },
  2: { limit: 'memory.max', resident: /^anon (\d+)$/m, peak: 'memory.peak' },
}

export class MemoryCgroup {
  readonly #folder: string
  readonly #names: Names

  private constructor(folder: string, names: Names) {
    this.#folder = folder
    this.#names = names
  }

  /** Throws an Error that says what the machine lacks. */
  static create(name: string, limitBytes: number): MemoryCgroup {
    if (process.getuid?.() !== 0)
      throw new Error('a memory cgroup takes root, and this process is not run by root')
    const version = versionHere()
    const folder = join(version === 1 ? V1 : ROOT, name)
    try {
      mkdirSync(folder)
      writeFileSync(join(folder, NAMES[version].limit), String(limitBytes))
    } catch (cause) {
      if (existsSync(folder)) rmdirSync(folder)
      throw new Error(`no memory cgroup can be made in ${folder}: ${(cause as Error).message}`, { cause })
    }
    return new MemoryCgroup(folder, NAMES[version])
  }

  /** A process that writes its id into this file is in the group. */
  get processesFile(): string {
    return join(this.#folder, 'cgroup.procs')
  }

  /** Memory of the processes; what the system caches of their files is not in it. */
  get residentBytes(): number {
    return Number(this.#names.resident.exec(readFileSync(join(this.#folder, 'memory.stat'), 'utf8'))?.[1])
  }

  /** The most memory that was in use, with cached files; NaN where the system does not tell. */
  get peakBytes(): number {
    const file = join(this.#folder, this.#names.peak)
    return existsSync(file) ? Number(readFileSync(file, 'utf8')) : Number.NaN
  }

  /** Its processes must have ended. */
  remove(): void {
    rmdirSync(this.#folder)
  }
}

function versionHere(): 1 | 2 {
  if (existsSync(join(V1, 'memory.limit_in_bytes'))) return 1
  const controllers = join(ROOT, 'cgroup.controllers')
  if (!existsSync(controllers)) throw new Error(`no cgroups are mounted at ${ROOT}`)
  const names = readFileSync(controllers, 'utf8').trim().split(' ')
  if (!names.includes('memory'))
    throw new Error(`the memory controller is not among those of ${controllers}: ${names.join(' ')}`)
  const subtree = join(ROOT, 'cgroup.subtree_control')
  if (!readFileSync(subtree, 'utf8').split(/\s/).includes('memory')) writeFileSync(subtree, '+memory')
  return 2
}
