/** The groups file: a line `GROUP:USER,USER` for each group. */

import { readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import { reasonOf } from '../../model/error-reason.ts'
import { GuardFileError } from '../guard/guard-file-error.ts'
import { WatchedFiles } from '../watched-files.ts'
import type { Memberships } from './subject.ts'

const FLAG = '--groups'

/** Throws GuardFileError, which names the line. */
export function readGroups(path: string): Memberships {
  const memberships = new Map<string, string[]>()
  const groups = new Set<string>()
  for (const [index, line] of textOf(path).split('\n').entries()) {
    const text = line.trim()
    if (text === '' || text.startsWith('#')) continue
    const colon = text.indexOf(':')
    const group = text.slice(0, colon).trim()
    const place = `${path}: line ${index + 1}`
    if (colon < 0 || group === '' || group.startsWith('@'))
      throw new GuardFileError(FLAG, `${place} is not GROUP:USER,USER`)
    if (groups.has(group)) throw new GuardFileError(FLAG, `${place} names a group that is there already`)
    groups.add(group)
    const users = text.slice(colon + 1).split(',')
    for (const user of new Set(users.map((name) => name.trim()).filter((name) => name !== '')))
      memberships.set(user, [...(memberships.get(user) ?? []), group])
  }
  return memberships
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new GuardFileError(FLAG, `${path} cannot be read (${reasonOf(error)})`, { cause: error })
  }
}

/** Calls `changed` with the groups of a file that has changed. A file that cannot be read changes nothing. */
export class GroupsFile {
  readonly #path: string
  readonly #logger: Logger
  readonly #changed: (memberships: Memberships) => void
  readonly #files: WatchedFiles
  #trouble: string | undefined

  constructor(path: string, logger: Logger, changed: (memberships: Memberships) => void, lookMs?: number) {
    this.#path = path
    this.#logger = logger
    this.#changed = changed
    this.#files = new WatchedFiles([path], () => this.reload(), lookMs)
  }

  /** Why the groups are those of an older file; undefined: they are not. */
  get trouble(): string | undefined {
    return this.#trouble
  }

  /** Reads the file again if it has changed. */
  look(): void {
    this.#files.look()
  }

  /** Reads the file again. One that cannot be used is logged, and the groups stay as they were. */
  reload(): void {
    try {
      this.#changed(readGroups(this.#path))
      this.#trouble = undefined
      this.#logger.info('groups read again')
    } catch (error) {
      this.#trouble = `the groups stay as they were: ${reasonOf(error)}`
      this.#logger.error({ err: error }, this.#trouble)
    }
  }

  close(): void {
    this.#files.close()
  }
}
