/**
 * Decodes values that Hadoop stored with FST (de.ruedigermoeller:fst 2.50, and 2.24 before it): the types of JSON, and Java's common
 * collections. Whole numbers have one to nine bytes, in little-endian order.
 */

import { HBaseError } from '../../../model/errors.ts'
import { JavaDouble, type TimelineValue, wholeNumber } from '../values/timeline-value.ts'

const Tag = {
  object: 0x00,
  false: 0xef,
  true: 0xf0,
  long: 0xf6,
  int: 0xf7,
  string: 0xfc,
  null: 0xff,
} as const

/** The tag of a class that is given by name. It gets the next number, from 1000 on. */
const NAMED = 1
const FIRST_NUMBER = 1000
const DEPTH_MAX = 200

const CLASSES: Readonly<Record<number, string>> = {
  4: 'Byte',
  5: 'Short',
  8: 'Float',
  9: 'Double',
  11: 'BigInteger',
  15: 'java.util.HashMap',
  16: 'java.util.ArrayList',
  17: 'java.util.concurrent.ConcurrentHashMap',
  23: 'java.util.LinkedList',
  26: 'java.util.Vector',
  27: 'java.util.Hashtable',
  // Version 2.24 writes this number, 2.50 the class name.
  83: 'java.util.LinkedHashMap',
}

const MAPS = /^java\.util\.(?:concurrent\.Concurrent|Linked)?Hash(?:Map|table)$|^java\.util\.Hashtable$/
const LISTS = /^java\.util\.(?:ArrayList|LinkedList|Vector|(?:Linked)?HashSet)$/

/** Throws CORRUPTION for truncated bytes, and UNSUPPORTED for unknown types. */
export function decodeFst(bytes: Buffer): TimelineValue {
  return new FstReader(bytes).value(DEPTH_MAX)
}

class FstReader {
  readonly #bytes: Buffer
  #at = 0
  readonly #names: string[] = []

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  value(depth: number): TimelineValue {
    if (depth <= 0) throw new HBaseError('UNSUPPORTED', 'a stored value is nested too deeply')
    const tag = this.#byte()
    switch (tag) {
      case Tag.null:
        return null
      case Tag.true:
        return true
      case Tag.false:
        return false
      case Tag.int:
      case Tag.long:
        return wholeNumber(this.#whole())
      case Tag.string:
        return this.#text()
      case Tag.object:
        return this.#object(depth)
      default:
        throw new HBaseError('UNSUPPORTED', `a stored value has the unknown tag 0x${tag.toString(16)}`)
    }
  }

  #object(depth: number): TimelineValue {
    const name = this.#className()
    switch (name) {
      case 'Byte':
        return this.#take(1).readInt8()
      case 'Short':
        return Number(this.#whole())
      case 'Float':
        return new JavaDouble(this.#take(4).readFloatLE())
      case 'Double':
        return new JavaDouble(this.#take(8).readDoubleLE())
      case 'BigInteger':
        return wholeNumber(this.#bigInteger())
      default:
        break
    }
    if (LISTS.test(name)) return Array.from({ length: this.#count() }, () => this.value(depth - 1))
    if (!MAPS.test(name)) throw new HBaseError('UNSUPPORTED', `a stored value is of the class ${name}`)
    const map = new Map<string, TimelineValue>()
    for (let left = this.#count(); left > 0; left--) {
      const key = this.value(depth - 1)
      if (typeof key !== 'string')
        throw new HBaseError('UNSUPPORTED', 'a stored map has a key that is not text')
      map.set(key, this.value(depth - 1))
    }
    return map
  }

  /** A class number: one byte, or two after 0xff. */
  #className(): string {
    const first = this.#byte()
    const number = first === 0xff ? this.#take(2).readUInt16LE() : first
    if (number === NAMED) {
      const name = this.#take(this.#count()).toString('latin1')
      this.#names.push(name)
      return name
    }
    const name = CLASSES[number] ?? this.#names[number - FIRST_NUMBER]
    if (name === undefined)
      throw new HBaseError('UNSUPPORTED', `a stored value is of the unknown class ${number}`)
    return name
  }

  #bigInteger(): bigint {
    const bytes = this.#take(this.#count())
    const unsigned = bytes.length === 0 ? 0n : BigInt(`0x${bytes.toString('hex')}`)
    return BigInt.asIntN(bytes.length * 8, unsigned)
  }

  /** A character: one byte, or two after 0xff. */
  #text(): string {
    const length = this.#count()
    const units: string[] = []
    for (let i = 0; i < length; i++) {
      const byte = this.#byte()
      units.push(String.fromCharCode(byte === 0xff ? this.#take(2).readUInt16LE() : byte))
    }
    return units.join('')
  }

  /** A whole number: the bytes -128, -127 and -126 precede two, four and eight bytes; any other byte is the number itself. */
  #whole(): bigint {
    const first = this.#take(1).readInt8()
    if (first === -128) return BigInt(this.#take(2).readInt16LE())
    if (first === -127) return BigInt(this.#take(4).readInt32LE())
    if (first === -126) return this.#take(8).readBigInt64LE()
    return BigInt(first)
  }

  /** A count. It cannot exceed the number of bytes left, since each counted item takes at least one. */
  #count(): number {
    const count = Number(this.#whole())
    if (count < 0 || count > this.#bytes.length - this.#at) throw cut()
    return count
  }

  #byte(): number {
    return this.#take(1)[0]!
  }

  #take(length: number): Buffer {
    const end = this.#at + length
    if (end > this.#bytes.length) throw cut()
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }
}

function cut(): HBaseError {
  return new HBaseError('CORRUPTION', 'a stored value is truncated')
}
