/** The changes of rows, read from the log: see Changes. */

import { HBaseError } from '../../../src/model/errors.ts'
import { SHOWN_TABLES } from '../../../src/model/shown-tables.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import type {
  Change,
  Changes,
  LogHold,
  PartOfChanges,
  TableMarks,
  WantedChanges,
} from '../../../src/store/changes.ts'
import type { Engine } from '../engine/engine.ts'
import { newClusterId } from '../manifest/cluster-id.ts'
import type { Hold } from '../wal/log-keeping.ts'
import { ChangedRegions } from './changed-regions.ts'
import { LoggedRecords, outOfReach, type Piece } from './logged-records.ts'

/** A call that finds nothing that it wants ends after so many bytes of the log. */
const PASSED_BYTES_MAX = 8 * 1024 * 1024
/** No answer has more cells than that, but for those of one record. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024

/** Each may keep logs from being removed. */
const HOLDS_MAX = 200
const HOLD_NAME_MAX = 255

export class NativeChanges implements Changes {
  readonly #engine: Engine
  readonly #records: LoggedRecords
  /** Of this start of the store; made once it is asked for. */
  #start: string | undefined

  constructor(engine: Engine) {
    this.#engine = engine
    this.#records = new LoggedRecords({
      fileSystem: engine.fileSystem,
      logs: () => engine.wal.files.readable,
    })
  }

  async lastChange(call: Call): Promise<number> {
    const { calls, wal } = this.#engine
    calls.check(call)
    const last = wal.files.lastSequenceId
    // A power loss could take it back, and another change get its id.
    await wal.synced()
    return last
  }

  async firstPosition(call: Call): Promise<number> {
    const { calls, keeping } = this.#engine
    calls.check(call)
    return keeping.reachesFrom
  }

  async readChanges(position: number, wanted: WantedChanges, call: Call): Promise<PartOfChanges> {
    const { calls, clock, commits, tables, wal } = this.#engine
    calls.check(call)
    checkPosition(position)
    const { table, waitMs } = wanted
    if (table !== undefined && !SHOWN_TABLES.has(table)) tables.get(table)
    const until = Math.min(clock.now() + waitMs, call.deadline)
    for (let from = position, isOver = false; ; ) {
      const part = await this.#readOrExplain(from, wanted)
      from = part.position
      calls.check(call)
      const restMs = until - clock.now()
      if (part.changes.length > 0 || part.left > 0 || isOver || restMs <= 0) return part
      if (wal.files.lastSequenceId > from) continue
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
    const { keeping, wal } = this.#engine
    const { reachesFrom } = keeping
    const { lastSequenceId } = wal.files
    if (position < reachesFrom) throw outOfReach(position, reachesFrom)
    if (position > lastSequenceId)
      throw new HBaseError(
        'DO_NOT_RETRY',
        `the log does not reach the sequence id ${position} yet: its last one is ${lastSequenceId}`,
      )
  }

  async #read(position: number, wanted: WantedChanges): Promise<PartOfChanges> {
    const { wal } = this.#engine
    const { lastSequenceId } = wal.files
    await wal.synced()
    const regions = new ChangedRegions(this.#engine, wanted)
    // A reader that asks for no bytes would never get on.
    const bytesMax = Math.min(Math.max(1, wanted.bytes), ANSWER_BYTES_MAX)
    const changes: Change[] = []
    let at = position
    for (let bytes = 0, passed = 0; bytes < bytesMax && passed < PASSED_BYTES_MAX; ) {
      const piece = await this.#pieceBehind(at, position)
      if (piece === 'damaged') break
      if (piece === undefined) {
        // The last sequence ids may be of no record, as those of loaded files: no reader must wait for them.
        at = Math.max(at, lastSequenceId)
        break
      }
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
      ...(wanted.ofSystem === true && { catalogVersion: this.#catalogVersion }),
    }
  }

  /** `position`: of the call. Damage that comes later is the next call's. Undefined: the log ends there. */
  async #pieceBehind(at: number, position: number): Promise<Piece | 'damaged' | undefined> {
    try {
      return await this.#records.read(at)
    } catch (error) {
      if (at === position) throw error
      return 'damaged'
    }
  }

  get #catalogVersion(): string {
    const { catalogLog, random } = this.#engine
    this.#start ??= newClusterId(random)
    return `${this.#start} ${catalogLog.catalog.version}`
  }

  async tableMarks(call: Call): Promise<TableMarks> {
    const { calls, catalogLog } = this.#engine
    calls.check(call)
    const tables = [...catalogLog.catalog.tables.values()].map(({ name, state, origin, families }) => ({
      table: parseTableName(name),
      isEnabled: state === 'ENABLED',
      mark: origin?.mark ?? 0,
      since: origin?.since ?? 0,
      isUnlogged: origin?.isUnlogged === true,
      families: families.map((family) => ({ name: family.name, since: family.sinceSequenceId })),
    }))
    return { version: this.#catalogVersion, tables }
  }

  #waitingSince(position: number): number | undefined {
    const { commits, wal } = this.#engine
    return position < wal.files.lastSequenceId ? commits.madeAfter(position) : undefined
  }

  async logHolds(call: Call): Promise<LogHold[]> {
    const { calls, keeping } = this.#engine
    calls.check(call)
    return keeping.holds.map((hold) => ({
      ...hold,
      left: this.#leftFor(hold),
      waitingSince: this.#waitingSince(hold.position),
    }))
  }

  #leftFor({ position, loss }: Hold): number {
    const { files } = this.#engine.wal
    if (loss !== undefined) return 0
    // No reader may be there that would have the log synced.
    const unsynced = position < files.lastSequenceId ? files.unsyncedBytes : 0
    return this.#records.bytesBehind(position) + unsynced
  }

  async holdLog(
    name: string,
    position: number | undefined,
    keepBytesMax: number,
    call: Call,
  ): Promise<number> {
    return this.#engine.calls.change(call, () => this.#hold(name, position, keepBytesMax))
  }

  async #hold(name: string, stated: number | undefined, keepBytesMax: number): Promise<number> {
    const { keeping, wal } = this.#engine
    const known = keeping.find(name)
    const before = known && { ...known }
    const position = stated ?? known?.position ?? wal.files.lastSequenceId
    checkHold(name, position, keepBytesMax)
    if (known === undefined && keeping.holds.length >= HOLDS_MAX)
      throw new HBaseError('DO_NOT_RETRY', `${HOLDS_MAX} hold the log: one of them must be released first`)
    this.#checkReach(position)
    // At once: from now on no log goes that it needs.
    keeping.hold(name, position, keepBytesMax)
    const isMove = before?.keepBytesMax === keepBytesMax && before.loss === undefined
    try {
      await wal.synced()
      await this.#record(!isMove)
    } catch (error) {
      if (before !== undefined) keeping.putBack(before)
      else keeping.release(name)
      throw error
    }
    return position
  }

  releaseLog(name: string, call: Call): Promise<void> {
    return this.#engine.calls.change(call, async () => {
      const { keeping } = this.#engine
      const hold = keeping.find(name)
      if (hold === undefined) return
      keeping.release(name)
      try {
        await this.#record(true)
      } catch (error) {
        keeping.putBack(hold)
        throw error
      }
    })
  }

  /** Has the disk know of holds, and lets logs go that are not needed any more. */
  async #record(isAtOnce: boolean): Promise<void> {
    const { flusher, wal } = this.#engine
    await wal.files.letGo(flusher.flushedUpTo, isAtOnce)
    void wal.removeLeft()
  }
}

/** Throws ILLEGAL_ARGUMENT. */
function checkHold(name: string, position: number, keepBytesMax: number): void {
  if (name === '' || name.length > HOLD_NAME_MAX)
    throw new HBaseError('ILLEGAL_ARGUMENT', `the name of a hold has 1 to ${HOLD_NAME_MAX} characters`)
  checkPosition(position)
  if (!Number.isSafeInteger(keepBytesMax) || keepBytesMax < 0)
    throw new HBaseError('ILLEGAL_ARGUMENT', `${keepBytesMax} is no number of bytes`)
}

/** Throws ILLEGAL_ARGUMENT. */
function checkPosition(position: number): void {
  if (!Number.isSafeInteger(position) || position < 0)
    throw new HBaseError('ILLEGAL_ARGUMENT', `${position} is no position of the log`)
}
