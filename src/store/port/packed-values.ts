/**
 * Values of the seam as a MessagePort carries them: buffers as bytes, and the few classes among them by a tag. Bytes are copied once, since the
 * sender goes on with its own: large ones into memory that moves to the other thread, small ones back to back into one piece for the message.
 */

import { CellBlock } from '../../model/cell-block.ts'
import { MutationBatch, type MutationOptions } from '../../model/mutation.ts'
import { ScatteredCells } from '../../model/scattered-cells.ts'
import { TimeRange } from '../../model/time-range.ts'
import { ViewedBytes } from '../../model/viewed-bytes.ts'
import { type PackedError, packError, unpackError } from './packed-errors.ts'
import type { SmallBytes } from './port-messages.ts'

/** Bytes of so many or more get memory of their own, which is transferred. */
export const LARGE_BYTES: number = 16 * 1024

/** The field of a packed value that is no plain object; plain objects have no such field. */
const TAG = '$'

type Tagged =
  | { readonly [TAG]: 'small'; readonly at: number; readonly bytes: number }
  | { readonly [TAG]: 'signal'; readonly id: number; readonly aborted: boolean }
  | { readonly [TAG]: 'times'; readonly min: bigint; readonly max: bigint }
  | { readonly [TAG]: 'cells'; readonly bytes: unknown }
  | PackedBatch
  | { readonly [TAG]: 'error'; readonly error: PackedError }

interface PackedBatch {
  readonly [TAG]: 'batch'
  readonly bytes: unknown
  readonly count: number
  readonly ends: number[]
  /** One for all mutations where they are the same, as they mostly are. */
  readonly options: unknown
  readonly areOptionsShared: boolean
}

/** Notes a signal that crosses, and returns its number. */
export type SignalOf = (signal: AbortSignal) => number
/** Returns the signal for that number. */
export type SignalFor = (id: number, aborted: boolean) => AbortSignal

/** The packer of one message. */
export class Packer {
  /** Memory that moves with the message. */
  readonly moved: ArrayBuffer[] = []
  readonly #signalOf: SignalOf
  readonly #pieces: Uint8Array[] = []
  #smallBytes = 0

  constructor(signalOf: SignalOf = refuseSignal) {
    this.#signalOf = signalOf
  }

  /** Throws TypeError for an object of a class that does not cross the seam, and for a function. */
  pack(value: unknown): unknown {
    if (typeof value === 'function') throw new TypeError('a function crosses the seam')
    if (typeof value !== 'object' || value === null) return value
    if (value instanceof Uint8Array) return this.#bytes(value)
    if (Array.isArray(value)) return value.every(isPrimitive) ? value : value.map((each) => this.pack(each))
    return this.#object(value)
  }

  /** The small bytes of all that was packed; undefined where there are none. */
  small(): SmallBytes {
    if (this.#smallBytes === 0) return undefined
    const small = Buffer.allocUnsafeSlow(this.#smallBytes)
    let at = 0
    for (const piece of this.#pieces) {
      small.set(piece, at)
      at += piece.length
    }
    if (small.length >= LARGE_BYTES) this.moved.push(small.buffer)
    return small
  }

  #object(value: object): unknown {
    if (value instanceof CellBlock) return this.#cells(value)
    if (value instanceof ScatteredCells)
      return { [TAG]: 'cells', bytes: this.#gathered(value) } satisfies Tagged
    if (value instanceof MutationBatch) return this.#batch(value)
    if (value instanceof TimeRange) return { [TAG]: 'times', min: value.min, max: value.max } satisfies Tagged
    if (value instanceof AbortSignal) {
      const { aborted } = value
      return { [TAG]: 'signal', id: this.#signalOf(value), aborted } satisfies Tagged
    }
    if (value instanceof Error) return { [TAG]: 'error', error: packError(value) } satisfies Tagged
    if (value instanceof Map) {
      return new Map([...value].map(([key, each]) => [this.pack(key), this.pack(each)]))
    }
    checkIsPlain(value)
    const packed: Record<string, unknown> = {}
    for (const key in value) packed[key] = this.pack((value as Readonly<Record<string, unknown>>)[key])
    return packed
  }

  #bytes(bytes: Uint8Array): unknown {
    if (bytes.length >= LARGE_BYTES) {
      const copy = this.#own(bytes.length)
      copy.set(bytes)
      return copy
    }
    const at = this.#smallBytes
    this.#pieces.push(bytes)
    this.#smallBytes += bytes.length
    return { [TAG]: 'small', at, bytes: bytes.length } satisfies Tagged
  }

  #own(length: number): Buffer {
    const memory = Buffer.allocUnsafeSlow(length)
    this.moved.push(memory.buffer)
    return memory
  }

  #cells({ buffer, start, end }: CellBlock): Tagged {
    return { [TAG]: 'cells', bytes: this.#bytes(buffer.subarray(start, end)) }
  }

  #gathered(cells: ScatteredCells): unknown {
    const length = cells.byteLength
    const memory = length < LARGE_BYTES ? Buffer.allocUnsafe(length) : this.#own(length)
    cells.copyTo(new ViewedBytes(memory), 0)
    return length < LARGE_BYTES ? this.#bytes(memory) : memory
  }

  #batch(batch: MutationBatch): PackedBatch {
    const { cells, ends, options } = batch
    // Nothing refers to the caller's memory once the message is made.
    batch.isCopied = true
    const areOptionsShared = options.length > 0 && options.every((each) => each === options[0])
    return {
      [TAG]: 'batch',
      bytes: this.#bytes(cells.buffer.subarray(0, cells.length)),
      count: cells.count,
      ends,
      options: this.pack(areOptionsShared ? options[0] : options),
      areOptionsShared,
    }
  }
}

/** The unpacker of one message. */
export class Unpacker {
  readonly #small: Buffer
  readonly #signalFor: SignalFor

  constructor(small: SmallBytes, signalFor: SignalFor = refuseSignal) {
    this.#small = small === undefined ? Buffer.alloc(0) : asBuffer(small)
    this.#signalFor = signalFor
  }

  /** The value. It is made of the packed one, whose objects and arrays are used. */
  unpack(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (value instanceof Uint8Array) return asBuffer(value)
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) if (!isPrimitive(value[i])) value[i] = this.unpack(value[i])
      return value
    }
    if (value instanceof Map) {
      return new Map([...value].map(([key, each]) => [this.unpack(key), this.unpack(each)]))
    }
    if (TAG in value) return this.#tagged(value as Tagged)
    const fields = value as Record<string, unknown>
    for (const key in fields) if (!isPrimitive(fields[key])) fields[key] = this.unpack(fields[key])
    return fields
  }

  #tagged(value: Tagged): unknown {
    switch (value[TAG]) {
      case 'small':
        return this.#small.subarray(value.at, value.at + value.bytes)
      case 'signal':
        return this.#signalFor(value.id, value.aborted)
      case 'times':
        return TimeRange.between(value.min, value.max)
      case 'cells':
        return new CellBlock(this.unpack(value.bytes) as Buffer)
      case 'error':
        return unpackError(value.error)
      case 'batch':
        return this.#batch(value)
    }
  }

  #batch({ bytes, count, ends, options, areOptionsShared }: PackedBatch): MutationBatch {
    const unpacked = this.unpack(options)
    const each = areOptionsShared
      ? Array.from(ends, () => unpacked as MutationOptions)
      : (unpacked as MutationOptions[])
    return MutationBatch.inPlace(this.unpack(bytes) as Buffer, count, ends, each)
  }
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
}

function isPrimitive(value: unknown): boolean {
  return (typeof value !== 'object' && typeof value !== 'function') || value === null
}

/** An object of a class would arrive without its methods: it may not cross the seam. */
function checkIsPlain(value: object): void {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null)
    throw new TypeError(`an object of ${value.constructor.name} crosses the seam`)
  if (TAG in value) throw new TypeError(`an object with a field ${TAG} crosses the seam`)
}

function refuseSignal(): never {
  throw new TypeError('a store hands out no signal')
}
