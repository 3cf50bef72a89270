/** Mistakes of the writer that a litmus test must find, in code that has no switch for them. */

import { KeptVersions } from '../../../adapters/native/region/kept-versions.ts'
import { Mvcc } from '../../../adapters/native/region/mvcc.ts'
import type { MessageToWriter, RunView, ToReader } from '../../../adapters/native/threads/reader-messages.ts'
import type { LitmusDisk } from './litmus-disk.ts'

/** Writes are shown as soon as the log is about to get them. Returns the end of the fault. */
export function plantEarlyPublication(disk: LitmusDisk): () => void {
  const next = Object.getOwnPropertyDescriptor(Mvcc.prototype, 'next')!
  const known = new Set<Mvcc>()
  Mvcc.prototype.next = function (this: Mvcc): number {
    known.add(this)
    return (next.value as (this: Mvcc) => number).call(this)
  }
  const before = disk.beforeLog
  disk.beforeLog = () => {
    for (const mvcc of known) mvcc.onPublish(mvcc.lastSequenceId)
    before()
  }
  return () => {
    Object.defineProperty(Mvcc.prototype, 'next', next)
    disk.beforeLog = before
  }
}

/** Versions are dropped for writes that the log has not got yet, so that a refused write does not bring them back. Returns the end of the fault. */
export function plantEarlyDrops(): () => void {
  const published = Object.getOwnPropertyDescriptor(KeptVersions.prototype, 'published')!
  Object.defineProperty(KeptVersions.prototype, 'published', { ...published, get: () => Number.MAX_VALUE })
  return () => void Object.defineProperty(KeptVersions.prototype, 'published', published)
}

/** The answer of a reader that lets go of the runs of a kind as soon as it has been shown them. */
export function releaseOf(messages: readonly ToReader[], kind: RunView['kind']): MessageToWriter {
  const views = messages.flatMap((message) => (message.kind === 'region' ? message.view.families : []))
  const runs = views.flatMap((family) => family.runs).filter((run) => run.kind === kind)
  return { message: 0, list: [{ kind: 'released', runs: runs.map(({ run }) => ({ run, seen: 1 })) }] }
}
