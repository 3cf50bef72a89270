/**
 * A call's arguments on their way to another thread. Cells move in a few buffers. Long lists of other arguments go over in parts, since
 * reading a message of many objects takes as long as decoding them. A place in the call names each binary, and the call's memory moves over
 * once.
 */

import { EMPTY } from '../../model/bytes.ts'
import { alone, asBuffer } from '../../model/moved-memory.ts'
import { MutationBatch } from '../../model/mutation.ts'
import { memoryOfBatch, type PackedBatch, packBatch, unpackBatch } from '../../model/packed-batch.ts'
import { RowMutations } from './row-mutations-reader.ts'
import type { ThriftObject } from './value-codec.ts'

/** Values that go over together: reading them takes some two milliseconds. */
const PART_VALUES = 5000

/** In the place of bytes: where they are in the call. */
interface Span {
  readonly spanStart: number
  readonly spanEnd: number
}
/** In the place of a list: the list's number among those that came in parts. */
interface LongList {
  readonly longList: number
}
interface Batch {
  readonly packedBatch: PackedBatch
}
interface Rows {
  readonly packedPuts: PackedBatch
  readonly packedDeletes: PackedBatch
}
interface Pairs {
  readonly mapPairs: unknown
}

/** Elements of the long list of that number. Its other parts, before and after, come in order. */
export interface ListPart {
  readonly list: number
  readonly elements: readonly unknown[]
  /** Objects, numbers and places of bytes in the elements. */
  readonly values: number
}

/** The call that the spans are in. It comes first. */
interface CallPart {
  readonly call: Uint8Array<ArrayBuffer>
}

export type ArgumentsPart = CallPart | ListPart

/** Takes arguments apart that were decoded from `call`, whose memory moves over. Returns what did not go over in parts. */
export function* moveArguments(
  args: ThriftObject,
  call: Buffer,
): Generator<Moved<ArgumentsPart>, Moved<unknown>, undefined> {
  const mover = new ArgumentsMover(call)
  const value = mover.pack(args)
  const bytes = alone(call)
  yield { value: { call: bytes }, memory: [bytes.buffer] }
  for (const part of mover.parts) yield { value: part, memory: [] }
  return { value, memory: mover.memory }
}

interface Moved<Value> {
  readonly value: Value
  readonly memory: readonly ArrayBuffer[]
}

class ArgumentsMover {
  readonly #call: Buffer
  readonly memory: ArrayBuffer[] = []
  /** In the order in which they must go over: a list before the one that it is in. */
  readonly parts: ListPart[] = []
  #lists = 0
  /** Packed so far, without the lists in parts. */
  #values = 0

  constructor(call: Buffer) {
    this.#call = call
  }

  pack(value: unknown): unknown {
    this.#values++
    if (typeof value !== 'object' || value === null) return value
    if (value instanceof Uint8Array) return this.#span(value)
    if (Array.isArray(value)) return this.#list(value)
    if (value instanceof MutationBatch) return { packedBatch: this.#batch(value) }
    if (value instanceof RowMutations)
      return { packedPuts: this.#batch(value.puts), packedDeletes: this.#batch(value.deletes) }
    if (value instanceof Map) return { mapPairs: this.#list([...value]) }
    const packed: ThriftObject = {}
    for (const [name, field] of Object.entries(value)) {
      if (field !== undefined) packed[name] = this.pack(field)
    }
    return packed
  }

  #span({ buffer, byteOffset, length }: Uint8Array): Span {
    // Empty bytes may be in another buffer.
    const spanStart = length === 0 || buffer !== this.#call.buffer ? 0 : byteOffset - this.#call.byteOffset
    return { spanStart, spanEnd: spanStart + length }
  }

  #list(list: readonly unknown[]): readonly unknown[] | LongList {
    const before = this.#values
    const parts: Omit<ListPart, 'list'>[] = []
    let elements: unknown[] = []
    let began = before
    for (const element of list) {
      elements.push(this.pack(element))
      if (this.#values - began < PART_VALUES) continue
      parts.push({ elements, values: this.#values - began })
      elements = []
      began = this.#values
    }
    if (parts.length === 0) return elements
    const longList = this.#lists++
    parts.push({ elements, values: this.#values - began })
    for (const part of parts) this.parts.push({ list: longList, ...part })
    this.#values = before
    return { longList }
  }

  #batch(batch: MutationBatch): PackedBatch {
    const packed = packBatch(batch)
    this.memory.push(...memoryOfBatch(packed))
    return packed
  }
}

/** Puts arguments together again. */
export class ReceivedArguments {
  #call: Buffer = EMPTY
  readonly #lists: unknown[][] = []

  take(part: ArgumentsPart): void {
    if ('call' in part) {
      this.#call = asBuffer(part.call)
      return
    }
    const list = (this.#lists[part.list] ??= [])
    for (const element of part.elements) list.push(this.#unpack(element))
  }

  finish(args: unknown): ThriftObject {
    return this.#unpack(args) as ThriftObject
  }

  #unpack(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((element) => this.#unpack(element))
    if (isSpan(value)) return this.#bytes(value)
    if (isLongList(value)) return this.#lists[value.longList]!
    if (isPacked(value)) return unpackBatch(value.packedBatch)
    if (isPackedRows(value))
      return new RowMutations(unpackBatch(value.packedPuts), unpackBatch(value.packedDeletes))
    if (isPairs(value)) return new Map(this.#unpack(value.mapPairs) as [unknown, unknown][])
    const args = value as ThriftObject
    for (const name in args) args[name] = this.#unpack(args[name])
    return args
  }

  #bytes({ spanStart, spanEnd }: Span): Buffer {
    return spanStart === spanEnd ? EMPTY : this.#call.subarray(spanStart, spanEnd)
  }
}

// No struct of the IDL has fields of these names.
function isSpan(value: object): value is Span {
  return 'spanStart' in value
}
function isLongList(value: object): value is LongList {
  return 'longList' in value
}
function isPacked(value: object): value is Batch {
  return 'packedBatch' in value
}
function isPackedRows(value: object): value is Rows {
  return 'packedPuts' in value
}
function isPairs(value: object): value is Pairs {
  return 'mapPairs' in value
}
