/** The frames of ZooKeeper's client protocol: an int32 length, then so many bytes of records. */

import { HBaseError } from '../../model/errors.ts'
import type { JuteReader } from './jute-reader.ts'
import type { JuteType } from './jute-type.ts'
import { JuteWriter } from './jute-writer.ts'

const LENGTH_BYTES = 4

/** Above ZooKeeper's jute.maxbuffer of 1 MiB, as in its own client: a node may have many children. */
export const FRAME_BYTES_MAX: number = 4 * 1024 * 1024

/** Writes one record; `part` makes it from a type and a value. */
export type FramePart = (writer: JuteWriter) => void

export function part<T>(type: JuteType<T>, value: T): FramePart {
  return (writer) => type.write(writer, value)
}

export function encodeFrame(...parts: readonly FramePart[]): Buffer {
  const writer = new JuteWriter()
  writer.int(0)
  for (const write of parts) write(writer)
  const frame = writer.bytes()
  frame.writeInt32BE(frame.length - LENGTH_BYTES, 0)
  return frame
}

/** Reads the last record of a message. Throws IO where bytes follow it. */
export function readLast<T>(reader: JuteReader, type: JuteType<T>): T {
  const value = type.read(reader)
  if (reader.remaining === 0) return value
  throw new HBaseError('IO', `${reader.remaining} bytes follow the ${type.name} of a ZooKeeper message`)
}

/** Cuts the received bytes of a connection into frames. */
export class FrameCutter {
  readonly #bytesMax: number
  #pending: Buffer[] = []
  #pendingBytes = 0
  /** Bytes needed for the next step: a length, or a whole frame with its length. */
  #wanted = LENGTH_BYTES

  constructor(bytesMax: number = FRAME_BYTES_MAX) {
    this.#bytesMax = bytesMax
  }

  /** The frames that `chunk` completes, without their lengths. Throws IO for a length out of bounds. */
  push(chunk: Buffer): Buffer[] {
    this.#pending.push(chunk)
    this.#pendingBytes += chunk.length
    const frames: Buffer[] = []
    while (this.#pendingBytes >= this.#wanted) {
      const bytes = this.#pending.length === 1 ? this.#pending[0]! : Buffer.concat(this.#pending)
      const length = bytes.readInt32BE(0)
      if (length < 0 || length > this.#bytesMax) {
        throw new HBaseError('IO', `A ZooKeeper frame cannot have ${length} bytes`, {
          detail: { length, bytesMax: this.#bytesMax },
        })
      }
      this.#pending = [bytes]
      this.#wanted = LENGTH_BYTES + length
      if (bytes.length < this.#wanted) break
      frames.push(bytes.subarray(LENGTH_BYTES, this.#wanted))
      const rest = bytes.subarray(this.#wanted)
      this.#pending = rest.length === 0 ? [] : [rest]
      this.#pendingBytes = rest.length
      this.#wanted = LENGTH_BYTES
    }
    return frames
  }
}
