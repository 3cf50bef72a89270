/** The groups file: a line `GROUP:USER,USER` for each group. */

import { readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import { reasonOf } from '../../model/error-reason.ts'
import { GuardFileError } from '../guard/guard-file-error.ts'
import { atOnce, betweenTurns, isSliceEnd } from '../in-slices.ts'
import { WatchedFiles } from '../watched-files.ts'
import type { Memberships } from './subject.ts'

const FLAG = '--groups'

/** Throws GuardFileError, which names the line. */
export function readGroups(path: string): Memberships {
  return atOnce(groupsIn(textOf(path), path))
}

/** Yields where other work may have its turn. */
function* groupsIn(text: string, path: string): Generator<void, Memberships> {
  const memberships = new Map<string, string[]>()
  const groups = new Set<string>()
  for (const [index, whole] of text.split('\n').entries()) {
    if (isSliceEnd(index)) yield
    const line = whole.trim()
    if (line === '' || line.startsWith('#')) continue
    const colon = line.indexOf(':')
    const group = line.slice(0, colon).trim()
    const place = `${path}: line ${index + 1}`
    if (colon < 0 || group === '' || group.startsWith('@'))
      throw new GuardFileError(FLAG, `${place} is not GROUP:USER,USER`)
    if (groups.has(group)) throw new GuardFileError(FLAG, `${place} names a group that is there already`)
    groups.add(group)
    for (const [at, name] of line
      .slice(colon + 1)
      .split(',')
      .entries()) {
      if (isSliceEnd(at)) yield
      addMember(memberships, name.trim(), group)
    }
  }
  return memberships
}

/** A line may name a user twice. */
function addMember(memberships: Map<string, string[]>, user: string, group: string): void {
  if (user === '') return
  const groups = memberships.get(user)
  if (groups === undefined) memberships.set(user, [group])
  else if (groups.at(-1) !== group) groups.push(group)
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
  #reloads = 0

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
    const reload = ++this.#reloads
    const stay = (error: unknown): void => {
      if (reload !== this.#reloads) return
      this.#trouble = `the groups stay as they were: ${reasonOf(error)}`
      this.#logger.error({ err: error }, this.#trouble)
    }
    try {
      const text = textOf(this.#path)
      // A program that writes into the file empties it first: without groups it has at least a comment.
      if (text === '') throw new GuardFileError(FLAG, `${this.#path} is empty`)
      const memberships = betweenTurns(groupsIn(text, this.#path))
      if (memberships instanceof Promise) memberships.then((read) => this.#use(read, reload), stay)
      else this.#use(memberships, reload)
    } catch (error) {
      stay(error)
    }
  }

  /** A file that has changed while it was read is read once more: its later groups count. */
  #use(memberships: Memberships, reload: number): void {
    if (reload !== this.#reloads) return
    this.#changed(memberships)
    this.#trouble = undefined
    this.#logger.info('groups read again')
  }

  close(): void {
    this.#files.close()
  }
}
