/** The changes of rows, read from the log: see Changes. */

import { HBaseError } from '../../../src/model/errors.ts'
import { SHOWN_TABLES } from '../../../src/model/shown-tables.ts'
import type { Call } from '../../../src/store/call.ts'
import type { Change, Changes, LogHold, PartOfChanges, WantedChanges } from '../../../src/store/changes.ts'
import type { Engine } from '../engine/engine.ts'
import { ChangedRegions } from './changed-regions.ts'
import { LoggedRecords, outOfReach } from './logged-records.ts'

/** A call that finds nothing that it wants ends after so many bytes of the log. */
const PASSED_BYTES_MAX = 8 * 1024 * 1024
/** No answer has more cells than that, but for those of one record. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024

export class NativeChanges implements Changes {
  readonly #engine: Engine
  readonly #records: LoggedRecords

  constructor(engine: Engine) {
    this.#engine = engine
    this.#records = new LoggedRecords({
      fileSystem: engine.fileSystem,
      logs: () => engine.wal.readable,
    })
  }

  async lastChange(call: Call): Promise<number> {
    const { calls, wal } = this.#engine
    calls.check(call)
    const last = wal.lastSequenceId
    // A power loss could take it back, and another change get its id.
    await wal.synced()
    return last
  }

  async firstPosition(call: Call): Promise<number> {
    const { calls, wal } = this.#engine
    calls.check(call)
    return wal.reachesFrom
  }

  async readChanges(position: number, wanted: WantedChanges, call: Call): Promise<PartOfChanges> {
    const { calls, clock, commits, tables, wal } = this.#engine
    calls.check(call)
    if (!Number.isSafeInteger(position) || position < 0)
      throw new HBaseError('ILLEGAL_ARGUMENT', `${position} is no position of the log`)
    const { table, waitMs } = wanted
    if (table !== undefined && !SHOWN_TABLES.has(table)) tables.get(table)
    const until = Math.min(clock.now() + waitMs, call.deadline)
    for (let from = position, isOver = false; ; ) {
      const part = await this.#readOrExplain(from, wanted)
      from = part.position
      calls.check(call)
      const restMs = until - clock.now()
      if (part.changes.length > 0 || part.left > 0 || isOver || restMs <= 0) return part
      if (wal.lastSequenceId > from) continue
      const next = await commits.next(restMs, call.signal)
      isOver = next === 'over'
      calls.check(call)
    }
  }

  async #readOrExplain(position: number, wanted: WantedChanges): Promise<PartOfChanges> {
    this.#checkReach(position)
    try {
      return await this.#read(position, wanted)
    } catch (error) {
      // A log that has gone meanwhile.
      this.#checkReach(position)
      throw error
    }
  }

  /** Throws DO_NOT_RETRY. */
  #checkReach(position: number): void {
    const { reachesFrom, lastSequenceId } = this.#engine.wal
    if (position < reachesFrom) throw outOfReach(position, reachesFrom)
    if (position > lastSequenceId)
      throw new HBaseError(
        'DO_NOT_RETRY',
        `the log does not reach the sequence id ${position} yet: its last one is ${lastSequenceId}`,
      )
  }

  async #read(position: number, wanted: WantedChanges): Promise<PartOfChanges> {
    const { wal } = this.#engine
    await wal.synced()
    const regions = new ChangedRegions(this.#engine, wanted)
    const bytesMax = Math.min(wanted.bytes, ANSWER_BYTES_MAX)
    const changes: Change[] = []
    let at = position
    for (let bytes = 0, passed = 0; bytes < bytesMax && passed < PASSED_BYTES_MAX; ) {
      const piece = await this.#records.read(at)
      if (piece === undefined) break
      passed += piece.bytes
      let { end } = piece
      for (const record of piece.records) {
        at = record.sequenceId
        const change = regions.changeOf(record)
        if (change === undefined) continue
        changes.push(change)
        bytes += change.cells.byteLength
        if (bytes < bytesMax) continue
        end = record.end
        break
      }
      this.#records.remember(at, piece.log, end)
    }
    return {
      changes,
      position: at,
      left: this.#records.bytesBehind(at),
      waitingSince: this.#waitingSince(at),
    }
  }

  #waitingSince(position: number): number | undefined {
    const { commits, wal } = this.#engine
    return position < wal.lastSequenceId ? commits.madeAfter(position) : undefined
  }

  async logHolds(call: Call): Promise<LogHold[]> {
    this.#engine.calls.check(call)
    return []
  }

  async holdLog(
    _name: string,
    _position: number | undefined,
    _keepBytesMax: number,
    _call: Call,
  ): Promise<number> {
    throw new HBaseError('UNSUPPORTED', 'holds are not there yet')
  }

  async releaseLog(): Promise<void> {
    throw new HBaseError('UNSUPPORTED', 'holds are not there yet')
  }
}
