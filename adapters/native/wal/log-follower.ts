/**
 * Follows the log and the catalog for one reader: it notes how far each commit has written the log, and when, and which changes came in between. The
 * bytes stay in the log's files until the reader asks for them. They are kept for it, up to a limit.
 */

import { HBaseError } from '../../../src/model/errors.ts'
import { manyATurn } from '../../../src/model/many-a-turn.ts'
import {
  type MomentEntry,
  STREAM_PART_BYTES_MAX,
  type StreamEntry,
  type StreamPart,
  type UnloggedEntry,
} from '../../../src/store/log-streams.ts'
import { encodeEdit, type ManifestEdit } from '../manifest/manifest-edit.ts'
import type { FileSystem } from '../platform/file-system.ts'
import type { LogEnd, WrittenLog } from './log-files.ts'
import { LOG_HEADER_BYTES } from './wal-format.ts'

/** At so many steps neighbours become one: times are then less exact, and memory stays bounded. */
const STEPS_MAX = 65_536

/** Commits of a millisecond: the log had so many bytes then. */
interface CommitStep extends LogEnd {
  readonly kind: 'commit'
  readonly at: number
  bytes: number
}

interface ChangeStep {
  readonly kind: 'change'
  readonly at: number
  readonly edit: ManifestEdit
}

type Step = CommitStep | ChangeStep | MomentEntry | UnloggedEntry

export interface LogFollowerParts {
  readonly fileSystem: FileSystem
  /** A log that is there, with its present length; a closed one may have lost its end to the next one. */
  readonly find: (number: number) => WrittenLog | undefined
  /** Bytes of the log that may wait for the reader. */
  readonly keepBytesMax: number
}

export class LogFollower {
  readonly #parts: LogFollowerParts
  #steps: Step[] = []
  /** Steps before this one have been read. */
  #next = 0
  /** Where the reader is. */
  #log: number
  #offset: number
  /** The last commit's end. */
  #end: LogEnd
  #unread = 0
  #lastAt = 0
  #loss: string | undefined
  #isReading = false

  /** `end`: of the log, now: the log's own record of it grows. */
  constructor(parts: LogFollowerParts, { number, bytes }: LogEnd) {
    this.#parts = parts
    this.#log = number
    this.#offset = bytes
    this.#end = { number, bytes }
  }

  /** The oldest log that the reader has not left; Infinity once it reads no more. */
  get oldestLog(): number {
    return this.#loss === undefined ? this.#log : Number.POSITIVE_INFINITY
  }

  /** Bytes that wait for the reader, and the reason why it gets no more, if so. */
  get state(): { readonly left: number; readonly loss: string | undefined } {
    return { left: this.#unread, loss: this.#loss }
  }

  /** The log has got as far as `end` at a time. */
  committed(now: number, { number, bytes }: LogEnd): void {
    if (this.#loss !== undefined) return
    const begun = number === this.#end.number ? this.#end.bytes : LOG_HEADER_BYTES
    this.#end = { number, bytes }
    if (bytes <= begun) return
    this.#unread += bytes - begun
    const { keepBytesMax } = this.#parts
    if (this.#unread > keepBytesMax) {
      this.lose(`${this.#unread} bytes of it waited, which is more than the ${keepBytesMax} that are kept`)
      return
    }
    const at = this.#time(now)
    // A step that is being read does not change any more.
    const last = this.#steps.length > this.#next ? this.#steps.at(-1) : undefined
    if (last?.kind === 'commit' && last.at === at && last.number === number) last.bytes = bytes
    else this.#push({ kind: 'commit', at, number, bytes })
  }

  changed(now: number, edit: ManifestEdit): void {
    if (this.#loss === undefined) this.#push({ kind: 'change', at: this.#time(now), edit })
  }

  /** Cells have come into the table that no record has. */
  unlogged(now: number, table: string): void {
    if (this.#loss === undefined) this.#push({ kind: 'unlogged', at: this.#time(now), table })
  }

  moment(now: number, id: string): void {
    if (this.#loss === undefined) this.#push({ kind: 'moment', at: this.#time(now), id })
  }

  /** The clock may be set back: times of entries do not fall. */
  #time(now: number): number {
    this.#lastAt = Math.max(this.#lastAt, now)
    return this.#lastAt
  }

  #push(step: Step): void {
    this.#steps.push(step)
    if (this.#steps.length < STEPS_MAX) return
    this.#steps = joined(this.#steps.slice(this.#next))
    this.#next = 0
  }

  /** The reader gets no more: logs are not kept for it. */
  lose(reason: string): void {
    this.#loss ??= reason
    this.#steps = []
    this.#next = 0
  }

  /** The next entries. One call at a time. Throws DO_NOT_RETRY once `lose` was called, and what the file system throws. */
  async read(now: number): Promise<StreamPart> {
    if (this.#isReading) throw new HBaseError('DO_NOT_RETRY', 'another call reads this log')
    this.#isReading = true
    try {
      return await this.#read(now)
    } finally {
      this.#isReading = false
    }
  }

  async #read(now: number): Promise<StreamPart> {
    this.#checkIsThere()
    const entries: StreamEntry[] = []
    // Commits that come meanwhile may join what is not read yet.
    const upTo = this.#time(now)
    for (let bytes = 0; this.#next < this.#steps.length && bytes < STREAM_PART_BYTES_MAX; ) {
      const step = this.#steps[this.#next]!
      if (step.kind === 'commit') {
        if (bytes > 0 && bytes + this.#bytesOf(step) > STREAM_PART_BYTES_MAX) break
        bytes += await this.#readCommits(entries, STREAM_PART_BYTES_MAX - bytes)
      } else {
        this.#next++
        entries.push(step.kind === 'change' ? await changeEntry(step) : step)
      }
      this.#checkIsThere()
    }
    this.#forgetRead()
    return { entries, left: this.#unread, at: upTo }
  }

  /** Bytes of the commits that come next, which the step ends. */
  #bytesOf({ number, bytes }: CommitStep): number {
    return bytes - (number === this.#log ? this.#offset : LOG_HEADER_BYTES)
  }

  /** Reads the commits of one log that come next, at least one, and of others so many bytes at most. Returns the bytes. */
  async #readCommits(entries: StreamEntry[], most: number): Promise<number> {
    const first = this.#steps[this.#next] as CommitStep
    if (first.number !== this.#log) {
      this.#log = first.number
      this.#offset = LOG_HEADER_BYTES
    }
    const { fileSystem, find } = this.#parts
    const log = find(this.#log)
    if (log === undefined) throw this.#lost(`the log ${this.#log} is gone`)
    const begin = this.#offset
    const ends: { readonly at: number; readonly end: number }[] = []
    for (let end = begin; this.#next < this.#steps.length; this.#next++) {
      const step = this.#steps[this.#next]!
      if (step.kind !== 'commit' || step.number !== log.number) break
      if (ends.length > 0 && step.bytes - begin > most) break
      this.#unread -= step.bytes - end
      end = step.bytes
      // The next log has the rest.
      ends.push({ at: step.at, end: Math.min(end, log.bytes) })
    }
    this.#offset = ends.at(-1)!.end
    const length = this.#offset - begin
    const bytes = length > 0 ? await fileSystem.readAside(log.path, begin, length) : Buffer.alloc(0)
    if (bytes.length < length) throw this.#lost(`${log.path} ends at byte ${begin + bytes.length}`)
    let from = begin
    for (const { at, end } of ends) {
      if (end <= from) continue
      const part = bytes.subarray(from - begin, end - begin)
      entries.push({ kind: 'records', at, log: log.number, offset: from, bytes: part })
      from = end
    }
    return length
  }

  #forgetRead(): void {
    if (this.#next === this.#steps.length) this.#steps = []
    else this.#steps.splice(0, this.#next)
    this.#next = 0
  }

  #lost(reason: string): HBaseError {
    this.lose(reason)
    return lossError(reason)
  }

  #checkIsThere(): void {
    if (this.#loss !== undefined) throw lossError(this.#loss)
  }
}

function lossError(reason: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', `the log is not kept any longer: ${reason}`)
}

async function changeEntry({ at, edit }: ChangeStep): Promise<StreamEntry> {
  return { kind: 'change', at, bytes: Buffer.concat(await manyATurn(encodeEdit(edit))) }
}

/** Of two neighbouring commits in a log the later one stays. */
function joined(steps: readonly Step[]): Step[] {
  const kept: Step[] = []
  let canJoin = false
  for (const step of steps) {
    const before = kept.at(-1)
    if (canJoin && before?.kind === 'commit' && step.kind === 'commit' && before.number === step.number) {
      kept[kept.length - 1] = step
      canJoin = false
    } else {
      kept.push(step)
      canJoin = step.kind === 'commit'
    }
  }
  return kept
}
