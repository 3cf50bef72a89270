/**
 * Whether this server leads, follows, or must not lead any more, and how that changes. A server that does not lead takes no changes from clients: the gate is
 * closed. The epoch decides between two servers that were both leaders: each promotion raises it, and the one with the greater epoch leads.
 */

import { reasonOf } from '../model/error-reason.ts'
import { HBaseError, isHBaseError } from '../model/errors.ts'
import type { Metric } from '../model/metric.ts'
import { SerialQueue } from '../model/serial-queue.ts'
import { type Call, OWN_CALL } from '../store/call.ts'
import type { KnownStandby, Promotion, PromotionOptions, Standby, StandbyState } from '../store/standby.ts'
import { ASK_MS, atServer, drainLeader, type PairParts } from './drain-leader.ts'
import { Follower, type FollowerParts } from './follower.ts'
import { disabledPeers } from './promoted-peers.ts'
import { healthOf, lossOf, retiredReason, standbyReason, troublesOf } from './role-sentences.ts'
import { standbyMetrics } from './standby-figures.ts'
import { holdOf, type StandbyRecord } from './standby-record.ts'

/** Standbys that a leader remembers, to ask them at its next start. */
const STANDBYS_MAX = 16
const ADDRESS_MAX = 300
/** A promoted server asks its old leader so often to step down, until it has. */
const RETIRE_MS = 5000

/** Lets changes of clients into the store, or refuses them. */
export interface Gate {
  close(reason: string): void
  open(): void
  /** Resolves once no change of a client is under way. */
  idle(): Promise<void>
}

export interface ServerRoleParts extends Omit<FollowerParts, 'openLeader'>, PairParts {
  readonly gate: Gate
  /** Gives the store the id of another cluster. */
  readonly adoptClusterId: (id: string) => Promise<void>
  /** Called once this server leads. */
  readonly onPromoted: () => Promise<void>
  /** True: this server leads also where one of its standbys was promoted, which then steps down. */
  readonly insists: boolean
}

export class ServerRole implements Standby {
  readonly #parts: ServerRoleParts
  readonly #turns = new SerialQueue()
  readonly #stop = new AbortController()
  #follower: Follower | undefined
  #retiring: Promise<void> | undefined

  constructor(parts: ServerRoleParts) {
    this.#parts = parts
  }

  get isFollowing(): boolean {
    return this.#parts.file.record.role === 'standby'
  }

  /** Begins to follow, or asks the standbys of this server whether one of them was promoted. */
  async start(): Promise<void> {
    const { file, gate } = this.#parts
    const { role, leader = '' } = file.record
    if (role === 'leader') await this.#askStandbys()
    if (role === 'retired') gate.close(retiredReason(leader))
    if (role === 'standby') this.#follow(leader)
    const { supersedes } = file.record
    if (supersedes !== undefined) this.#retiring = this.#retire(supersedes)
  }

  #follow(leader: string): void {
    const { gate, openServer } = this.#parts
    gate.close(standbyReason(leader))
    this.#follower = new Follower({ ...this.#parts, openLeader: () => openServer(leader) })
    this.#follower.start()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#turns.idle()
    await this.#follower?.stop()
    await this.#retiring
  }

  async #askStandbys(): Promise<void> {
    const { file, insists, log } = this.#parts
    for (const { address } of file.record.standbys) {
      try {
        const { role, epoch } = await atServer(this.#parts, address, ({ standby }) =>
          standby.standbyState({ ...OWN_CALL, deadline: this.#parts.now() + ASK_MS }),
        )
        if (role !== 'leader' || epoch <= file.record.epoch) continue
        if (!insists) return await this.#retireFor(epoch, address)
        await file.save({ epoch: epoch + 1, isPromoted: true, supersedes: address })
        log('warn', `this server leads, in the epoch ${epoch + 1} (--lead), instead of ${address}`)
      } catch (error) {
        if (!isHBaseError(error)) throw error
        log(
          'warn',
          `the standby ${address} does not say whether it was promoted, and this server leads: ${reasonOf(error)}`,
        )
      }
    }
  }

  async #retireFor(epoch: number, leader: string): Promise<void> {
    const { file, gate, log } = this.#parts
    gate.close(retiredReason(leader))
    log('warn', retiredReason(leader))
    await this.#noteRetired({ ...file.record, role: 'retired', epoch, leader })
  }

  /** A full disk must not keep two servers leading: without the record, a restart asks the standbys. */
  async #noteRetired(record: StandbyRecord): Promise<void> {
    const { file, log } = this.#parts
    try {
      await file.replace(record)
    } catch (error) {
      log('warn', `the disk does not say yet that this server takes no changes: ${reasonOf(error)}`)
    }
  }

  async standbyState(_call: Call): Promise<StandbyState> {
    const { file, local } = this.#parts
    const { role, epoch, leader, position, asOf } = file.record
    return {
      role,
      epoch,
      clusterId: await local.clusterId(),
      leader: role === 'leader' ? undefined : leader,
      position: role === 'standby' ? (this.#follower?.position ?? position) : 0,
      asOf: role === 'standby' ? (this.#follower?.asOf ?? asOf) : 0,
    }
  }

  followedBy({ id, address }: KnownStandby, call: Call): Promise<StandbyState> {
    return this.#turns.run(async () => {
      const { file } = this.#parts
      const { role, standbys, leader = '' } = file.record
      if (role !== 'leader')
        throw new HBaseError('DO_NOT_RETRY', `this server does not lead: follow ${leader}`)
      if (id === '' || id.length > ADDRESS_MAX || address === '' || address.length > ADDRESS_MAX)
        throw new HBaseError('ILLEGAL_ARGUMENT', 'a standby has an id and an address')
      const others = standbys.filter((each) => each.id !== id && each.address !== address)
      const isKnown = standbys.some((each) => each.id === id && each.address === address)
      if (!isKnown) await file.save({ standbys: [...others, { id, address }].slice(-STANDBYS_MAX) })
      return this.standbyState(call)
    })
  }

  stepDown(epoch: number, leader: string, call: Call): Promise<number> {
    return this.#turns.run(async () => {
      const { file, gate, local } = this.#parts
      const { record } = file
      const isRepeated = record.role === 'retired' && record.epoch === epoch && record.leader === leader
      if (!isRepeated && (record.role === 'standby' || epoch <= record.epoch))
        throw new HBaseError(
          'DO_NOT_RETRY',
          record.role === 'retired'
            ? `${record.leader} leads, in the epoch ${record.epoch}, and was promoted before ${leader}`
            : `this server is of the epoch ${record.epoch}, and does not step down for ${epoch}`,
        )
      if (isRepeated) await this.#noteRetired(record)
      else await this.#retireFor(epoch, leader)
      await gate.idle()
      return local.upkeep.changes!.lastChange({ ...call, isOwn: true })
    })
  }

  takeBack(epoch: number, _call: Call): Promise<void> {
    return this.#turns.run(async () => {
      const { file, gate, log } = this.#parts
      const { record } = file
      if (record.role !== 'retired' || record.epoch !== epoch) return
      // It must not say that it leads while the gate is closed.
      await file.commit((present) => ({ ...present, role: 'leader', epoch: epoch - 1 }))
      gate.open()
      log('warn', `this server leads again: ${record.leader} was not promoted`)
    })
  }

  promote(options: PromotionOptions, call: Call): Promise<Promotion> {
    return this.#turns.run(async () => {
      const { file } = this.#parts
      const { role, leader = '' } = file.record
      if (role === 'leader') throw new HBaseError('DO_NOT_RETRY', 'this server leads already')
      const epoch = file.record.epoch + 1
      const drained =
        role === 'standby' && options.waitMs > 0
          ? await drainLeader(this.#parts, this.#follower!, { epoch, leader, waitMs: options.waitMs })
          : undefined
      await this.#follower?.stop()
      const loss = lossOf(file.record, this.#follower, drained, this.#parts.now())
      const disabled = await this.#tryToLead(epoch, options.keepsIdentity)
      await this.#lead(epoch, leader)
      return {
        state: await this.standbyState(call),
        isWhole: drained === true,
        loss,
        disabledPeers: disabled,
      }
    })
  }

  /** Resolves to the peers that are disabled, once the disk has it that this server leads. On a failure all is as before. */
  async #tryToLead(epoch: number, keepsIdentity: boolean): Promise<string[]> {
    const { file } = this.#parts
    const before = file.record
    const { role, leader = '' } = before
    try {
      const peers = await this.#takeIdentity(keepsIdentity)
      const others = { supersedes: leader, standbys: [], tables: {}, isPromoted: true }
      await file.commit(({ loss: _ended, ...record }) => ({ ...record, ...others, role: 'leader', epoch }))
      return peers
    } catch (error) {
      // The disk has the record of before, or gets it with the next save.
      await file.replace(before).catch(() => undefined)
      if (role === 'standby') this.#follow(leader)
      throw new HBaseError('IO', `nothing was promoted: ${reasonOf(error)}`)
    }
  }

  /** Resolves to the peers that are disabled. */
  async #takeIdentity(keepsIdentity: boolean): Promise<string[]> {
    const { policed, file, adoptClusterId } = this.#parts
    const { role, leaderClusterId } = file.record
    if (role === 'retired') return []
    if (!keepsIdentity) return disabledPeers(policed)
    if (leaderClusterId !== undefined) await adoptClusterId(leaderClusterId)
    return []
  }

  async #lead(epoch: number, before: string): Promise<void> {
    const { gate, log, onPromoted } = this.#parts
    this.#follower = undefined
    gate.open()
    log('warn', `this server leads from now on, in the epoch ${epoch}`)
    this.#retiring = this.#retire(before)
    await onPromoted()
  }

  /** Asks the old leader to step down until it has. */
  async #retire(address: string): Promise<void> {
    const { file, log, pause, address: own } = this.#parts
    const { signal } = this.#stop
    const { epoch, id } = file.record
    while (!signal.aborted && file.record.role === 'leader' && file.record.epoch === epoch) {
      try {
        await atServer(this.#parts, address, async ({ standby, changes }) => {
          await standby.stepDown(epoch, own, OWN_CALL)
          await changes.releaseLog(holdOf(id), OWN_CALL)
        })
        const { supersedes: _done, ...record } = file.record
        await file.replace(record)
        log('info', `the old leader ${address} takes no more changes`)
        return
      } catch (error) {
        if (!isHBaseError(error)) throw error
        if (error.code === 'DO_NOT_RETRY') {
          log('warn', `the old leader ${address} does not step down: ${reasonOf(error)}`)
          if (await this.#yieldTo(address, epoch)) return
        }
      }
      await pause(RETIRE_MS, signal)
    }
  }

  /** Of two servers that were promoted in place of one leader, the leader knows the first: the other one takes no more changes. Resolves to whether the matter is settled. */
  async #yieldTo(address: string, epoch: number): Promise<boolean> {
    let found: StandbyState
    try {
      found = await atServer(this.#parts, address, ({ standby }) =>
        standby.standbyState({ ...OWN_CALL, deadline: this.#parts.now() + ASK_MS }),
      )
    } catch (error) {
      if (!isHBaseError(error)) throw error
      return false
    }
    const { file, address: own } = this.#parts
    const leader = found.role === 'leader' ? address : (found.leader ?? own)
    if (found.role === 'standby' || found.epoch < epoch || leader === own) return true
    await this.#turns.run(async () => {
      const { role, epoch: present } = file.record
      if (role === 'leader' && present === epoch) await this.#retireFor(found.epoch, leader)
    })
    return true
  }

  /** Sentences for an operator; none where all is well. */
  troubles(): string[] {
    return troublesOf(this.#parts.file.record, this.#follower)
  }

  /** For /health; undefined for a server that leads and was never part of a pair. */
  health(): Readonly<Record<string, string | number>> | undefined {
    return healthOf(this.#parts.file.record, this.#follower)
  }

  metrics(): Metric[] {
    return standbyMetrics(() => {
      const follower = this.#follower
      if (follower === undefined) return undefined
      const { figures, position, asOf } = follower
      return { figures, position, asOf, isStopped: this.#parts.file.record.loss !== undefined }
    })
  }
}
