/** The groups file: a line `GROUP:USER,USER` for each group. */

import { readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import { reasonOf } from '../../../../model/error-reason.ts'
import { atOnce, isStepEnd, type Steps } from '../../../../model/steps.ts'
import { GuardFileError } from '../../../identity/files/guard-file-error.ts'
import { RereadFile } from '../../../identity/files/reread-file.ts'
import type { Memberships } from './subject.ts'

const FLAG = '--groups'

/** Reads the groups. Throws GuardFileError, which names the line. */
export function readGroups(path: string): Memberships {
  return atOnce(groupsIn(textOf(path), path))
}

/** The groups in the text, in steps. */
function* groupsIn(text: string, path: string): Steps<Memberships> {
  const memberships = new Map<string, string[]>()
  const groups = new Set<string>()
  for (const [index, whole] of text.split('\n').entries()) {
    if (isStepEnd(index)) yield
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
      if (isStepEnd(at)) yield
      addMember(memberships, name.trim(), group)
    }
  }
  return memberships
}

/** Adds a user to a group. A line may name a user twice. */
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

/** Calls `changed` with the groups when the file has changed. */
export function watchGroups(
  path: string,
  logger: Logger,
  changed: (memberships: Memberships) => void,
  lookMs?: number,
): RereadFile<Memberships> {
  return new RereadFile<Memberships>({
    path,
    read: () => textOf(path),
    parse: (text) => groupsIn(text, path),
    use: (memberships) => {
      changed(memberships)
      logger.info('groups read again')
    },
    refusalOf: (reason) => new GuardFileError(FLAG, reason),
    consequence: 'the groups stay as they were',
    logger,
    lookMs,
  })
}
