/**
 * Batches of mutations without options of their own, back to back in the bytes of one message. As objects they would take longer to cross a port
 * than to be made. What is the same for many of them, the target and the caller, crosses once and has a number.
 *
 *     write := id f64 | caller f64 | priority f64 | deadline f64 | target u32 | durability u32 | cells u32 | mutations u32 | bytes u32
 *              | end u32 for each mutation | the cells, as a cell block
 */

import { grownBuffer } from '../../model/grown-buffer.ts'
import { type Durability, MutationBatch, type MutationOptions } from '../../model/mutation.ts'
import type { Call } from '../call.ts'
import { type Target, targetRegion } from '../target.ts'
import { type CallerFields, PortCallers } from './port-callers.ts'

const HEADER_BYTES = 52
/** Where the words behind the four numbers begin. */
const WORDS = 32
/** A larger batch crosses in memory of its own, which moves. */
const BATCH_BYTES_MAX = 64 * 1024
/** Of one message; more writes of the same turn go into a further one. */
const MESSAGE_BYTES_MAX = 1024 * 1024
const KEPT_BYTES_MAX = 256 * 1024
/** More are numbered anew. */
const TARGETS_MAX = 4096

const DURABILITIES: readonly Durability[] = ['USE_DEFAULT', 'SKIP_WAL', 'ASYNC_WAL', 'SYNC_WAL', 'FSYNC_WAL']
const OPTIONS: readonly MutationOptions[] = DURABILITIES.map((durability) => ({ durability }))

export interface PlainWrites {
  readonly kind: 'writes'
  readonly bytes: Uint8Array
  /** The targets that have a number from now on. */
  readonly targets: readonly (readonly [number, Target])[]
  /** The callers that have a number from now on. */
  readonly callers: readonly (readonly [number, CallerFields])[]
  /** True: the numbers of all other targets are used again. */
  readonly forgetsTargets: boolean
}

/** Writes of the callers of a port. */
export class PlainWritesWriter {
  readonly #callers: PortCallers
  #buffer: Buffer = Buffer.allocUnsafeSlow(16 * 1024)
  #length = 0
  readonly #targets = new Map<string, number>()
  #newTargets: [number, Target][] = []
  #newCallers: (readonly [number, CallerFields])[] = []
  #forgetsTargets = false

  /** `gone`: called with the number of a caller that has hung up. */
  constructor(gone: (caller: number) => void) {
    this.#callers = new PortCallers((number, fields) => this.#newCallers.push([number, fields]), gone)
  }

  /** Of the message so far. */
  get isFull(): boolean {
    return this.#length >= MESSAGE_BYTES_MAX
  }

  /** False where the write has something that this form has no place for. */
  add(id: number, target: Target, batch: MutationBatch, call: Call): boolean {
    const { cells, ends } = batch
    if (cells.length > BATCH_BYTES_MAX) return false
    const durability = durabilityOf(batch.options)
    const caller = durability === undefined ? undefined : this.#callers.numberOf(call)
    if (durability === undefined || caller === undefined) return false
    const start = this.#length
    if (start === 0) this.#beginMessage()
    const number = this.#targetNumber(target)
    const bytes = HEADER_BYTES + 4 * ends.length + cells.length
    if (start + bytes > this.#buffer.length) this.#buffer = grownBuffer(this.#buffer, start, start + bytes)
    const buffer = this.#buffer
    let at = start
    for (const value of [id, caller, call.priority, call.deadline]) at = buffer.writeDoubleLE(value, at)
    for (const word of [number, durability, cells.count, ends.length, cells.length])
      at = buffer.writeUInt32LE(word, at)
    for (const end of ends) at = buffer.writeUInt32LE(end, at)
    cells.buffer.copy(buffer, at, 0, cells.length)
    this.#length = start + bytes
    // Nothing refers to the caller's memory any more.
    batch.isCopied = true
    return true
  }

  /** The writes since the last call; undefined where there are none. */
  take(): PlainWrites | undefined {
    if (this.#length === 0) return undefined
    // A view would cross with all of its memory.
    const bytes = Buffer.allocUnsafeSlow(this.#length)
    this.#buffer.copy(bytes, 0, 0, this.#length)
    const [targets, callers, forgetsTargets] = [this.#newTargets, this.#newCallers, this.#forgetsTargets]
    this.#length = 0
    if (this.#buffer.length > KEPT_BYTES_MAX) this.#buffer = Buffer.allocUnsafeSlow(KEPT_BYTES_MAX)
    this.#newTargets = []
    this.#newCallers = []
    this.#forgetsTargets = false
    return { kind: 'writes', bytes, targets, callers, forgetsTargets }
  }

  #targetNumber(target: Target): number {
    const region = targetRegion(target)
    const key =
      region === undefined
        ? (target as string)
        : `${region.encodedName}/${region.replica ?? 0}/${region.table}`
    const known = this.#targets.get(key)
    if (known !== undefined) return known
    const number = this.#targets.size
    this.#targets.set(key, number)
    this.#newTargets.push([number, target])
    return number
  }

  /** A number that is used again would be that of two targets within a message. */
  #beginMessage(): void {
    if (this.#targets.size < TARGETS_MAX) return
    this.#targets.clear()
    this.#forgetsTargets = true
  }
}

/** Index in DURABILITIES; undefined where the mutations have other options, or several. */
function durabilityOf(options: readonly MutationOptions[]): number | undefined {
  const [first] = options
  if (first === undefined || !isPlain(first)) return undefined
  for (const each of options) {
    if (each !== first && (!isPlain(each) || each.durability !== first.durability)) return undefined
  }
  return DURABILITIES.indexOf(first.durability)
}

function isPlain({ ttlMs, tags, attributes }: MutationOptions): boolean {
  return ttlMs === undefined && tags === undefined && attributes === undefined
}

/** Takes a write of the message. The batch refers to the message's bytes. */
export type TakeWrite = (id: number, target: Target, batch: MutationBatch, call: Call) => void

/** The writes of a port's callers, on the side of the store. */
export class PlainWritesReader {
  readonly #targets: Target[] = []
  readonly #callers = new Map<number, { readonly call: Call; readonly controller: AbortController }>()

  read({ bytes, targets, callers, forgetsTargets }: PlainWrites, take: TakeWrite): void {
    if (forgetsTargets) this.#targets.length = 0
    for (const [number, target] of targets) this.#targets[number] = target
    for (const [number, fields] of callers) {
      const controller = new AbortController()
      const { signal } = controller
      const call: Call = {
        ...fields,
        signal,
        deadline: Number.POSITIVE_INFINITY,
        trace: undefined,
        priority: 0,
      }
      this.#callers.set(number, { call, controller })
    }
    const buffer = Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length)
    for (let at = 0; at < buffer.length; ) at = this.#readOne(buffer, at, take)
  }

  /** Reads the write at `start`; returns its end. */
  #readOne(buffer: Buffer, start: number, take: TakeWrite): number {
    const word = (index: number): number => buffer.readUInt32LE(start + WORDS + 4 * index)
    const { call } = this.#callers.get(buffer.readDoubleLE(start + 8))!
    const priority = buffer.readDoubleLE(start + 16)
    const deadline = buffer.readDoubleLE(start + 24)
    const [target, durability, cells, mutations, bytes] = [word(0), word(1), word(2), word(3), word(4)]
    const ends: number[] = []
    let at = start + HEADER_BYTES
    for (let i = 0; i < mutations; i++, at += 4) ends.push(buffer.readUInt32LE(at))
    const end = at + bytes
    const options = ends.map(() => OPTIONS[durability]!)
    const batch = MutationBatch.inPlace(buffer.subarray(at, end), cells, ends, options)
    const isUsual = priority === call.priority && deadline === call.deadline
    take(
      buffer.readDoubleLE(start),
      this.#targets[target]!,
      batch,
      isUsual ? call : { ...call, priority, deadline },
    )
    return end
  }

  /** The caller has hung up. */
  gone(caller: number): void {
    this.#callers.get(caller)?.controller.abort()
    this.#callers.delete(caller)
  }

  allGone(): void {
    for (const caller of this.#callers.keys()) this.gone(caller)
  }
}
