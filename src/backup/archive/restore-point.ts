/** Which backup, and which archived logs behind it, make the store as of a time. */

import type { NamedBackup } from '../destination.ts'
import type { Stretch } from './archived-logs.ts'
import type { Run } from './known-pieces.ts'

export interface RestorePoint {
  readonly base: NamedBackup
  /** The logs behind the backup, from its moment on; undefined: the backup alone. */
  readonly logs: { readonly stretch: Stretch; readonly moment: string } | undefined
  /** The store's time, as far as the headers of the pieces say. */
  readonly asOf: number
  /** The time of the next backup, where the time that was asked for is not reached; undefined: there is none. */
  readonly nextAt: number | undefined
}

interface Candidate {
  readonly base: NamedBackup
  readonly run: Run | undefined
  /** Up to which time it can be restored. */
  readonly reach: number
}

/**
 * `backups`, of one server and the oldest first, are those that may be taken, `all` those that there are; `runs` are of the same server. `time`: milliseconds since 1970, or Infinity for the latest
 * state. Undefined where all backups are later. For a time of whole seconds a backup of that second counts, too, where nothing else has the time, since
 * `list` shows seconds.
 */
export function restorePoint(
  backups: readonly NamedBackup[],
  runs: readonly Run[],
  time: number,
  all: readonly NamedBackup[] = backups,
): RestorePoint | undefined {
  const candidates = backups
    .filter(({ backup: { at } }) => at <= time || Math.floor(at / 1000) * 1000 === time)
    .map((base) => candidateOf(base, runs))
  const isExact = ({ base, reach }: Candidate): boolean => base.backup.at <= time && reach >= time
  const exact = candidates.filter(isExact)
  const best = Math.max(...candidates.map(({ reach }) => Math.min(reach, time)))
  const chosen = exact.length > 0 ? exact : candidates.filter(({ reach }) => Math.min(reach, time) === best)
  const candidate = chosen.at(-1)
  if (candidate === undefined) return undefined
  const { base, run, reach } = candidate
  const { at, moment } = base.backup
  const asOf = Math.max(at, Math.min(reach, time))
  const logs =
    run !== undefined && moment !== undefined && at < time ? { stretch: run.stretch, moment } : undefined
  const nextAt = asOf >= time ? undefined : all.find(({ backup }) => backup.at > asOf)?.backup.at
  return { base, logs, asOf, nextAt }
}

function candidateOf(base: NamedBackup, runs: readonly Run[]): Candidate {
  const { at, moment } = base.backup
  const run = moment === undefined ? undefined : runOf(moment, runs)
  return { base, run, reach: Math.max(at, run?.reachedAt ?? at) }
}

/** The run that has a moment. */
export function runOf(moment: string, runs: readonly Run[]): Run | undefined {
  return runs.find(({ pieces }) => pieces.some(({ header }) => header.moments.includes(moment)))
}
