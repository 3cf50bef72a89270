/**
 * Applies the leader's changes, in their order, until it is stopped. A change may be applied again after a crash: its cells have times, so that this alters
 * nothing. The position on the disk is never ahead of what the disk has of the changes.
 */

import { reasonOf } from '../model/error-reason.ts'
import { HBaseError, isHBaseError } from '../model/errors.ts'
import { isSystemTable } from '../model/table-name.ts'
import { type Call, OWN_CALL } from '../store/call.ts'
import type { PartOfChanges } from '../store/changes.ts'
import type { Store } from '../store/store.ts'
import { writeMutations } from '../transfer/write-cells.ts'
import { batchesOf, type TableBatch } from './applied-changes.ts'
import { FollowedSchema } from './followed-schema.ts'
import { type Leader, leaderOf } from './leader-store.ts'
import { StandbyFigures } from './standby-figures.ts'
import { holdOf, type RecordFile } from './standby-record.ts'

/** In the reason of a loss that a right address mends. */
export const OTHER_STORE = 'answers as another store'
const READ_BYTES = 4 * 1024 * 1024
/** The leader answers after this time where there is no change. */
const WAIT_MS = 300
/** The position is written so often, here and at the leader: each time a disk is synced. */
const SAVE_MS = 1000
const [PAUSE_MS, PAUSE_MS_MAX] = [250, 5000]
/** The log has a line about a lag at most so often. */
const LAG_LOG_MS = 60_000
const LAG_SECONDS = 10

export interface FollowerParts {
  /** The store of this server, before any policy. */
  readonly local: Store
  /** The same behind the policies, whose tables are in the system's namespace. */
  readonly policed: Store
  readonly file: RecordFile
  readonly address: string
  readonly keepBytesMax: number
  /** Opens the leader's store; its calls fail soon where it is away. */
  readonly openLeader: () => Promise<Store>
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>
  readonly log: (level: 'info' | 'warn' | 'error', message: string) => void
}

export class Follower {
  readonly figures: StandbyFigures
  readonly #parts: FollowerParts
  readonly #schema: FollowedSchema
  readonly #stop = new AbortController()
  readonly #call: Call
  #ended: Promise<void> | undefined
  #store: Store | undefined
  #leader: Leader | undefined
  /** As of the last look at the tables; undefined: they must be looked at. */
  #version: string | undefined
  #steps = 0
  #position: number
  #asOf: number
  #savedAt = 0
  #failures = 0
  #lagLoggedAt = 0
  #isOld = false
  /** True while the leader has stepped down for this standby, which reads the rest of its changes. */
  isDraining = false

  constructor(parts: FollowerParts) {
    this.#parts = parts
    this.figures = new StandbyFigures(parts.now)
    this.#call = { ...OWN_CALL, signal: this.#stop.signal }
    this.#schema = new FollowedSchema({ ...parts, call: this.#call })
    this.#position = parts.file.record.position
    this.#asOf = parts.file.record.asOf
  }

  get position(): number {
    return this.#position
  }

  get asOf(): number {
    return this.#asOf
  }

  start(): void {
    this.#ended = this.#run()
  }

  /** Ends what is under way, and notes the position. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#ended
  }

  /**
   * For a leader that takes no more changes: resolves to true once its changes up to the position are applied, and its tables are as they were at this call; to
   * false at the time.
   */
  async drainedTo(position: number, untilMs: number): Promise<boolean> {
    const { now, pause } = this.#parts
    // The present step may have read before this call.
    const steps = this.#steps + 2
    while (this.#position < position || this.#steps < steps) {
      if (now() >= untilMs || this.#stop.signal.aborted) return false
      await pause(20)
    }
    return true
  }

  /** The next step begins with a new connection. */
  reconnect(): void {
    this.#isOld = true
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop
    try {
      while (!signal.aborted && this.#parts.file.record.loss === undefined) await this.#attempt()
      await this.#save().catch((error: unknown) => this.#parts.log('warn', `standby: ${reasonOf(error)}`))
    } finally {
      await this.#leave()
    }
  }

  async #leave(): Promise<void> {
    const store = this.#store
    this.#store = undefined
    this.#leader = undefined
    await store?.close()
  }

  async #attempt(): Promise<void> {
    const { log, pause, file } = this.#parts
    try {
      if (this.#isOld) await this.#leave()
      this.#isOld = false
      await this.#step((this.#leader ??= await this.#connected()))
      if (this.#failures > 0) log('info', `the standby follows ${file.record.leader} again`)
      this.#failures = 0
      this.figures.failure = undefined
    } catch (error) {
      if (this.#stop.signal.aborted) return
      // A bug must not end the following without a word: it is logged as such, and tried again.
      if (!isHBaseError(error)) log('error', `the standby failed: ${(error as Error).stack ?? String(error)}`)
      this.#version = undefined
      this.#failures++
      const reason = reasonOf(error)
      if (this.figures.failure?.reason !== reason)
        log('warn', `the standby waits for ${file.record.leader}, and tries again: ${reason}`)
      this.figures.fail(reason)
      await this.#leave()
      await pause(Math.min(PAUSE_MS * 2 ** (this.#failures - 1), PAUSE_MS_MAX), this.#stop.signal)
    }
  }

  async #connected(): Promise<Leader> {
    const { openLeader, file, address } = this.#parts
    this.#store = await openLeader()
    const leader = leaderOf(this.#store)
    // The other store must not count this server among its standbys.
    const { role, epoch, clusterId, leader: next } = await leader.standby.standbyState(this.#call)
    const { leaderClusterId } = file.record
    if (leaderClusterId !== undefined && clusterId !== leaderClusterId) {
      await this.#lose(
        `its leader's address ${OTHER_STORE}, ${clusterId}: this standby follows ${leaderClusterId}`,
      )
      throw new HBaseError('IO', 'the leader has another store')
    }
    if (epoch < file.record.epoch)
      throw new HBaseError(
        'IO',
        `the leader is of the epoch ${epoch}, and this standby of ${file.record.epoch}`,
      )
    const isRetired = role === 'retired' && next === address
    if (!isRetired || !this.isDraining) {
      if (isRetired) await this.#takeBack(leader, epoch)
      const state = await leader.standby.followedBy({ id: file.record.id, address }, this.#call)
      if (state.epoch > file.record.epoch) await file.save({ epoch: state.epoch })
    }
    await this.#checkHold(leader)
    return leader
  }

  /** The leader stepped down for a promotion that was cut. An end of this server must not leave it open whether the leader has got the call. */
  async #takeBack({ standby }: Leader, epoch: number): Promise<void> {
    const { file, log } = this.#parts
    log('warn', `a promotion was cut: ${file.record.leader} leads again`)
    await standby.takeBack(epoch, OWN_CALL)
  }

  /** Throws IO where the leader's log is not kept for this standby any more: then some changes can never be read. */
  async #checkHold(leader: Leader): Promise<void> {
    const holds = await leader.changes.logHolds(this.#call)
    const hold = holds.find(({ name }) => name === holdOf(this.#parts.file.record.id))
    const loss = hold === undefined ? 'the leader does not keep its log for this standby' : hold.loss
    if (loss === undefined && hold!.position <= this.#position) return
    await this.#lose(loss ?? 'the leader has let go of changes that were not applied')
    throw new HBaseError('IO', 'the standby lacks changes')
  }

  async #lose(loss: string): Promise<void> {
    const { file, log } = this.#parts
    log('error', lostSentence(loss))
    await file.save({ loss })
  }

  async #step(leader: Leader): Promise<void> {
    const { now } = this.#parts
    const readAt = now()
    const wanted = { ofSystem: true, bytes: READ_BYTES, waitMs: this.#version === undefined ? 0 : WAIT_MS }
    const part = await this.#read(leader, wanted)
    // No change of this part may be applied before the change of its table that came before it.
    if (part.catalogVersion !== this.#version) {
      this.#version = await this.#schema.look(leader)
    }
    await this.#apply(part)
    this.#position = part.position
    this.figures.leftBytes = part.left
    this.figures.waitingSince = part.waitingSince
    this.#asOf = Math.max(this.#asOf, part.left === 0 ? readAt : (part.waitingSince ?? this.#asOf))
    await this.#schema.reached(part.position)
    this.#steps++
    this.#logLag()
    // The clock may have been set back.
    if (Math.abs(now() - this.#savedAt) >= SAVE_MS) {
      await this.#save()
      await this.#moveHold(leader)
      await this.#checkLeads(leader)
    }
  }

  /** Throws IO where another standby was promoted: the connection to the old leader is as good as ever. */
  async #checkLeads({ standby }: Leader): Promise<void> {
    const { role, leader: next } = await standby.standbyState(this.#call)
    if (role !== 'leader' && !this.isDraining)
      throw new HBaseError('IO', `this server does not lead any more: follow ${next}`)
  }

  async #read(leader: Leader, wanted: { bytes: number; waitMs: number }): Promise<PartOfChanges> {
    try {
      return await leader.changes.readChanges(this.#position, { ...wanted, ofSystem: true }, this.#call)
    } catch (error) {
      // It does not reach back to the position, or not up to it.
      if (isHBaseError(error) && / (reaches back|does not reach) /.test(error.message))
        await this.#lose(reasonOf(error))
      throw error
    }
  }

  async #apply({ changes }: PartOfChanges): Promise<void> {
    const { local, policed, file } = this.#parts
    const { tables } = file.record
    for (const each of batchesOf(changes, (table) => tables[table]))
      await this.#write(isSystemTable(each.table) ? policed : local, each)
    this.figures.appliedChanges += changes.length
    this.figures.appliedBytes += changes.reduce((sum, { cells }) => sum + cells.byteLength, 0)
  }

  async #write(store: Store, { table, batch }: TableBatch): Promise<void> {
    const writing = { store, table, call: OWN_CALL, pause: this.#parts.pause }
    try {
      await writeMutations(writing, batch)
    } catch (error) {
      // The table is disabled or read-only at the leader, too, or was for a while; the change came before that.
      if (!isHBaseError(error)) throw error
      if (error.code === 'TABLE_NOT_ENABLED') await this.#schema.enable(table)
      else if (!(await this.#schema.makeWritable(table))) throw error
      this.#version = undefined
      await writeMutations(writing, batch)
    }
  }

  #logLag(): void {
    const { now, log } = this.#parts
    const lag = this.figures.lagSeconds(this.#asOf)
    if (lag < LAG_SECONDS || now() - this.#lagLoggedAt < LAG_LOG_MS) return
    this.#lagLoggedAt = now()
    log(
      'warn',
      `the standby is ${lag.toFixed(0)} s behind its leader, by ${this.figures.leftBytes} bytes of its log`,
    )
  }

  async #save(): Promise<void> {
    const { local, file, now } = this.#parts
    const [position, asOf] = [this.#position, this.#asOf]
    // Resolves once the disk has all that was written.
    await local.upkeep.changes!.lastChange(OWN_CALL)
    await file.save({ position, asOf })
    this.#savedAt = now()
  }

  async #moveHold({ changes }: Leader): Promise<void> {
    const { file, keepBytesMax } = this.#parts
    await changes.holdLog(holdOf(file.record.id), file.record.position, keepBytesMax, this.#call)
  }
}

export function lostSentence(loss: string): string {
  return `this standby has stopped, and serves what it had: ${loss}. Stop it, empty its folder, and start it again: it copies its leader anew`
}
