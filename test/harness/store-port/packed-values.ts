/** Values of the seam as a MessagePort carries them: buffers as bytes, and the few classes among them by name. */

import { CellBlock } from '../../../src/model/cell-block.ts'
import { type ErrorCode, HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { TimeRange } from '../../../src/model/time-range.ts'

/** The number for a signal on its way to the other side, which makes another signal of it. */
export type SignalOf = (signal: AbortSignal) => number
export type SignalFor = (id: number) => AbortSignal

const TAG = '$'

export function pack(value: unknown, signalOf: SignalOf): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Uint8Array) return new Uint8Array(value)
  if (value instanceof AbortSignal) return { [TAG]: 'signal', id: signalOf(value) }
  if (value instanceof TimeRange) return { [TAG]: 'times', min: value.min, max: value.max }
  if (value instanceof CellBlock) return { [TAG]: 'cells', bytes: new Uint8Array(blockBytes(value)) }
  if (value instanceof MutationBatch) return packBatch(value, signalOf)
  if (isHBaseError(value)) {
    const { code, message, detail, javaClass } = value
    return { [TAG]: 'error', code, message, detail, javaClass }
  }
  if (value instanceof Map) {
    return new Map([...value].map(([key, each]) => [key as unknown, pack(each, signalOf)]))
  }
  if (Array.isArray(value)) return value.map((each) => pack(each, signalOf))
  checkIsPlain(value)
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, pack(each, signalOf)]))
}

export function unpack(value: unknown, signalFor: SignalFor): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  if (value instanceof Map) {
    return new Map([...value].map(([key, each]) => [key as unknown, unpack(each, signalFor)]))
  }
  if (Array.isArray(value)) return value.map((each) => unpack(each, signalFor))
  const fields = Object.entries(value).map(([key, each]) => [key, unpack(each, signalFor)] as const)
  const tagged = Object.fromEntries(fields) as Record<string, never>
  switch (tagged[TAG] as unknown) {
    case 'signal':
      return signalFor(tagged['id']!)
    case 'times':
      return TimeRange.between(tagged['min']!, tagged['max']!)
    case 'cells':
      return new CellBlock(tagged['bytes']!)
    case 'batch':
      return unpackBatch(tagged)
    case 'error':
      return new HBaseError(tagged['code'] as unknown as ErrorCode, tagged['message']!, tagged)
    default:
      return tagged
  }
}

function blockBytes({ buffer, start, end }: CellBlock): Buffer {
  return buffer.subarray(start, end)
}

function packBatch({ cells, ends, options }: MutationBatch, signalOf: SignalOf): unknown {
  const bytes = new Uint8Array(cells.buffer.subarray(0, cells.length))
  return { [TAG]: 'batch', bytes, count: cells.count, ends: [...ends], options: pack(options, signalOf) }
}

function unpackBatch(packed: Record<string, never>): MutationBatch {
  const batch = new MutationBatch(0)
  const bytes: Buffer = packed['bytes']!
  batch.cells.buffer = bytes
  batch.cells.length = bytes.length
  batch.cells.count = packed['count']!
  batch.ends.push(...(packed['ends'] as unknown as number[]))
  batch.options.push(...(packed['options'] as unknown as MutationBatch['options']))
  return batch
}

/** An object of a class would arrive without its methods, and a function not at all: neither may cross the seam. */
function checkIsPlain(value: object): void {
  if (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null) return
  throw new TypeError(`an object of ${value.constructor.name} crosses the seam`)
}
