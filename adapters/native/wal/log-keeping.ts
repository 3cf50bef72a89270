/**
 * Closed logs that the store itself does not need, and that stay for those who read changes: up to a number of bytes for readers that come back,
 * and for each hold from its position on. The registry names them beside the logs that a start reads.
 */

import type { KeptLogRecord, LogHoldRecord, LogKeepingRecord } from '../manifest/manifest-edit.ts'
import type { LogFile } from './current-log.ts'

/** Logs that are kept for readers without a hold: a store that is started often has small ones. */
const RETAINED_MAX = 64
/** A hold that only moves on is recorded so often at most. */
const RECORD_EVERY_MS = 5000
/** So many tables are named for a hold that have cells without records. */
const UNLOGGED_MAX = 100

/** See LogHold. */
export interface Hold {
  readonly name: string
  position: number
  keepBytesMax: number
  loss: string | undefined
  unlogged: readonly string[]
}

/** The fate of the logs that the store does not need. */
export interface KeepPlan {
  readonly kept: readonly LogFile[]
  readonly gone: readonly LogFile[]
  readonly reachesFrom: number
  /** Reasons by the names of holds. */
  readonly losses: ReadonlyMap<string, string>
}

export interface LogKeepingParts {
  /** Bytes of closed logs for readers without a hold. */
  readonly keepBytes: number
  /** Milliseconds since any fixed moment. */
  readonly monotonicMs: () => number
  /** When the first record behind a sequence id was made: milliseconds since 1970; undefined: unknown. */
  readonly madeAfter: (sequenceId: number) => number | undefined
  readonly onLoss: (hold: Hold) => void
}

export const NOTHING_KEPT: LogKeepingParts = {
  keepBytes: 0,
  monotonicMs: () => 0,
  madeAfter: () => undefined,
  onLoss: () => undefined,
}

export class LogKeeping {
  readonly #parts: LogKeepingParts
  readonly #holds = new Map<string, Hold>()
  /** When the logs of earlier starts were made. */
  readonly #times = new Map<number, number>()
  /** The oldest first. */
  #logs: readonly LogFile[] = []
  #reachesFrom = 0
  #recordedAt = Number.NEGATIVE_INFINITY
  #isMoved = false

  constructor(parts: LogKeepingParts) {
    this.#parts = parts
  }

  /** The logs that only readers of changes need. */
  get logs(): readonly LogFile[] {
    return this.#logs
  }

  get bytes(): number {
    return this.#logs.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  get holds(): readonly Hold[] {
    return [...this.#holds.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** Whether the log is kept for any reader. */
  get isHeld(): boolean {
    for (const { loss } of this.#holds.values()) if (loss === undefined) return true
    return false
  }

  find(name: string): Hold | undefined {
    return this.#holds.get(name)
  }

  /** All records behind this sequence id are in logs. */
  get reachesFrom(): number {
    return this.#reachesFrom
  }

  /** Logs with records up to this sequence id are gone, or may be. */
  reachFrom(sequenceId: number, reason: string): void {
    this.#reachesFrom = Math.max(this.#reachesFrom, sequenceId)
    for (const hold of this.#holds.values()) if (hold.position < this.#reachesFrom) this.#lose(hold, reason)
  }

  /** Whether the logs may have records up to this sequence id of a region that is gone: of logs of earlier starts the regions are not known. */
  mayHaveUpTo(lastSequenceId: number): boolean {
    const oldest = this.#logs[0]
    return oldest !== undefined && lastSequenceId >= oldest.firstSequenceId
  }

  /** A move that a kill may take back for a while is not recorded yet. */
  get isMoved(): boolean {
    return this.#isMoved
  }

  /** Whether a move is to be recorded now. */
  get isDue(): boolean {
    return this.#isMoved && this.#parts.monotonicMs() - this.#recordedAt >= RECORD_EVERY_MS
  }

  /** Makes or moves a hold. */
  hold(name: string, position: number, keepBytesMax: number): void {
    const known = this.#holds.get(name)
    this.#isMoved = true
    if (known === undefined)
      this.#holds.set(name, { name, position, keepBytesMax, loss: undefined, unlogged: [] })
    else Object.assign(known, { position, keepBytesMax, loss: undefined })
  }

  /** Cells came into the table that no record of the log has. Returns whether that is to be recorded. */
  noteUnlogged(table: string): boolean {
    let isNew = false
    for (const hold of this.#holds.values()) {
      if (hold.unlogged.includes(table) || hold.unlogged.length >= UNLOGGED_MAX) continue
      hold.unlogged = [...hold.unlogged, table]
      isNew = true
    }
    this.#isMoved ||= isNew
    return isNew
  }

  release(name: string): void {
    this.#holds.delete(name)
    this.#isMoved = true
  }

  /** Puts a hold back that could not be released, or not be moved. */
  putBack(hold: Hold): void {
    this.#holds.set(hold.name, hold)
  }

  /** Takes the record of an earlier start, with those of its logs that are there. */
  adopt(record: LogKeepingRecord | undefined, logs: readonly LogFile[]): void {
    if (record === undefined) return
    for (const { name, position, keepBytesMax, loss, unlogged = [] } of record.holds)
      this.#holds.set(name, { name, position, keepBytesMax, loss, unlogged })
    for (const { number, at } of record.kept) if (at !== undefined) this.#times.set(number, at)
    this.#logs = logs.toSorted((a, b) => a.number - b.number)
    this.reachFrom(record.from, 'records of the log were lost, or a repair has put them elsewhere')
    const there = new Set(logs.map(({ number }) => number))
    for (const { number, last } of record.kept)
      if (!there.has(number))
        this.reachFrom(last, `the log ${number}, which was kept for it, is not there any more`)
  }

  /** When a log was made, whose time the commits of this start do not say. */
  timeOf(number: number): number | undefined {
    return this.#times.get(number)
  }

  /** `flushed`: logs that the store does not need any more; `needed`: other closed ones. */
  plan(flushed: readonly LogFile[], needed: readonly LogFile[], currentBytes: number): KeepPlan {
    const all = [...this.#logs, ...flushed, ...needed].sort((a, b) => a.number - b.number)
    const isNeeded = new Set(needed)
    const losses = new Map<string, string>()
    const stays = this.#retained(all)
    for (const hold of this.#holds.values()) {
      if (hold.loss !== undefined) continue
      const held = all.filter(({ lastSequenceId }) => lastSequenceId > hold.position)
      const bytes = held.reduce((sum, log) => sum + log.bytes, currentBytes)
      // A log that the store needs stays anyway.
      if (held[0] === undefined || bytes <= hold.keepBytesMax || isNeeded.has(held[0]))
        for (const log of held) stays.add(log)
      else
        losses.set(
          hold.name,
          `${bytes} bytes of it waited, which is more than the ${hold.keepBytesMax} that are kept`,
        )
    }
    const surplus = all.filter((log) => !isNeeded.has(log))
    const isKept = (log: LogFile): boolean =>
      stays.has(log) && log.lastSequenceId > 0 && log.isOpenEnded !== true
    const reachesFrom = surplus.reduce(
      (from, log) => (isKept(log) ? from : Math.max(from, log.lastSequenceId)),
      this.#reachesFrom,
    )
    // Behind a gap.
    const kept = surplus.filter((log) => isKept(log) && log.lastSequenceId > reachesFrom)
    for (const { name, position, loss } of this.#holds.values())
      if (loss === undefined && position < reachesFrom && !losses.has(name))
        losses.set(name, 'a log that it needs could not be kept')
    return { kept, gone: surplus.filter((log) => !kept.includes(log)), reachesFrom, losses }
  }

  /** The youngest logs, of so many bytes that readers without a hold get what is kept for them. */
  #retained(all: readonly LogFile[]): Set<LogFile> {
    const stays = new Set<LogFile>()
    let bytes = 0
    for (const log of all.toReversed()) {
      if (bytes >= this.#parts.keepBytes || stays.size >= RETAINED_MAX) break
      stays.add(log)
      bytes += log.bytes
    }
    return stays
  }

  /** The record of a plan, or of what is kept now; undefined where nothing is to be kept. */
  record(plan?: KeepPlan): LogKeepingRecord | undefined {
    const { kept = this.#logs, reachesFrom: from = this.#reachesFrom, losses } = plan ?? {}
    if (this.#parts.keepBytes === 0 && this.#holds.size === 0 && kept.length === 0) return undefined
    const holds = this.holds.map(({ name, position, keepBytesMax, loss, unlogged }): LogHoldRecord => {
      const reason = loss ?? losses?.get(name)
      return {
        name,
        position,
        keepBytesMax,
        ...(reason !== undefined && { loss: reason }),
        ...(unlogged.length > 0 && { unlogged }),
      }
    })
    return { from, kept: kept.map((log) => this.#recordOf(log)), holds }
  }

  #recordOf({ number, bytes, firstSequenceId: first, lastSequenceId: last }: LogFile): KeptLogRecord {
    const at = this.#times.get(number) ?? this.#parts.madeAfter(first - 1)
    if (at !== undefined) this.#times.set(number, at)
    return { number, bytes, first, last, ...(at !== undefined && { at }) }
  }

  /** Called before a record goes to the disk: moves that come meanwhile are for the next one. */
  recording(): void {
    this.#isMoved = false
    this.#recordedAt = this.#parts.monotonicMs()
  }

  notRecorded(): void {
    this.#isMoved = true
    this.#recordedAt = Number.NEGATIVE_INFINITY
  }

  /** The plan is on disk. */
  settle({ kept, gone, reachesFrom, losses }: KeepPlan): void {
    this.#logs = kept
    for (const { number } of gone) this.#times.delete(number)
    for (const [name, reason] of losses) {
      const hold = this.#holds.get(name)
      if (hold !== undefined) this.#lose(hold, reason)
    }
    this.#reachesFrom = Math.max(this.#reachesFrom, reachesFrom)
  }

  /**
   * The disk needs the room: lets go of what is kept for readers without a hold, or, where there is none, of all. The caller removes the logs that are
   * returned, and records the rest.
   */
  giveUp(reason: string): readonly LogFile[] {
    const positions = this.holds.filter(({ loss }) => loss === undefined).map(({ position }) => position)
    const oldest = Math.min(...positions)
    const retained = this.#logs.filter(({ lastSequenceId }) => lastSequenceId <= oldest)
    const gone = retained.length > 0 ? retained : this.#logs
    this.#logs = this.#logs.filter((log) => !gone.includes(log))
    this.#isMoved = true
    for (const { lastSequenceId } of gone) this.reachFrom(lastSequenceId, reason)
    return gone
  }

  #lose(hold: Hold, reason: string): void {
    if (hold.loss !== undefined) return
    hold.loss = reason
    this.#parts.onLoss(hold)
  }

  /** For the operator. */
  troubles(): string[] {
    return this.holds.flatMap(({ name, loss }) => (loss === undefined ? [] : [troubleOf(name, loss)]))
  }
}

export function troubleOf(name: string, loss: string): string {
  return `the log is not kept any longer for ${name}: ${loss}`
}
