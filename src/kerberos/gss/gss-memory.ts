/**
 * Structures of GSSAPI's C interface (RFC 2744), laid out by hand in memory that C reads and writes. Numbers are little endian, as on all
 * machines that Node runs on but s390x, where they are big endian.
 */

import { endianness } from 'node:os'

/** The address of a buffer's bytes. */
export type AddressOf = (bytes: Uint8Array) => bigint

const POINTER_BYTES = 8
const IS_LITTLE = endianness() === 'LE'
/** Apple's headers pack these structures by 2 bytes on x86-64, so that a pointer stands right behind a length of 4 bytes. */
const POINTER_BEHIND_INT32 = process.platform === 'darwin' && process.arch === 'x64' ? 4 : POINTER_BYTES

/** The memory that a structure points to lives as long as the structure: C reads it by its address, which the garbage collector does not see. */
const pointedTo = new WeakMap<Buffer, readonly unknown[]>()

function structure(...targets: readonly unknown[]): Buffer {
  const bytes = Buffer.alloc(2 * POINTER_BYTES)
  pointedTo.set(bytes, targets)
  return bytes
}

export class GssMemory {
  readonly #addressOf: AddressOf

  constructor(addressOf: AddressOf) {
    this.#addressOf = addressOf
  }

  /** A gss_buffer_desc with these bytes. */
  buffer(content: Buffer): Buffer {
    const bytes = structure(content)
    writeWord(bytes, 0, BigInt(content.length))
    if (content.length > 0) writeWord(bytes, POINTER_BYTES, this.#addressOf(content))
    return bytes
  }

  /** A gss_buffer_desc of bytes that another thread owns. */
  bufferAt(address: bigint, length: number): Buffer {
    const bytes = structure()
    writeWord(bytes, 0, BigInt(length))
    writeWord(bytes, POINTER_BYTES, address)
    return bytes
  }

  /** A gss_OID_desc: an object identifier in DER, without its tag and length. */
  oid(der: readonly number[]): Buffer {
    const elements = Buffer.from(der)
    const bytes = structure(elements)
    writeInt32(bytes, elements.length)
    writeWord(bytes, POINTER_BEHIND_INT32, this.#addressOf(elements))
    return bytes
  }

  /** A gss_key_value_set_desc, which says where credentials are kept. */
  store(entries: Readonly<Record<string, string>>): Buffer {
    const pairs = Object.entries(entries)
    const elements = Buffer.alloc(Math.max(1, pairs.length) * 2 * POINTER_BYTES)
    const texts = pairs.flat().map((text) => Buffer.from(`${text}\0`))
    for (const [index, text] of texts.entries())
      writeWord(elements, index * POINTER_BYTES, this.#addressOf(text))
    const bytes = structure(elements, ...texts)
    writeInt32(bytes, pairs.length)
    writeWord(bytes, POINTER_BYTES, this.#addressOf(elements))
    return bytes
  }
}

/** Room for a gss_buffer_desc that C fills. */
export function emptyBuffer(): Buffer {
  return Buffer.alloc(2 * POINTER_BYTES)
}

/** Room for a pointer that C fills, and its present value. */
export function pointerTo(value = 0n): Buffer {
  const bytes = Buffer.alloc(POINTER_BYTES)
  writeWord(bytes, 0, value)
  return bytes
}

export function readPointer(bytes: Buffer): bigint {
  return readWord(bytes, 0)
}

/** The length and the address in a filled gss_buffer_desc. */
export function readBuffer(bytes: Buffer): { length: number; address: bigint } {
  return { length: Number(readWord(bytes, 0)), address: readWord(bytes, POINTER_BYTES) }
}

export function readUint32(bytes: Buffer): number {
  return IS_LITTLE ? bytes.readUInt32LE(0) : bytes.readUInt32BE(0)
}

function writeInt32(bytes: Buffer, value: number): void {
  if (IS_LITTLE) bytes.writeUInt32LE(value, 0)
  else bytes.writeUInt32BE(value, 0)
}

function writeWord(bytes: Buffer, at: number, value: bigint): void {
  if (IS_LITTLE) bytes.writeBigUInt64LE(value, at)
  else bytes.writeBigUInt64BE(value, at)
}

function readWord(bytes: Buffer, at: number): bigint {
  return IS_LITTLE ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at)
}
