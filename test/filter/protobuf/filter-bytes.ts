/** Filters as protobuf has them, whole and broken, put together by hand. */

import { decodeFilter } from '../../../src/filter/protobuf/decode-filter.ts'
import { encodeFilter } from '../../../src/filter/protobuf/encode-filter.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { Comparator, Filter } from '../../../src/model/filter.ts'

export const PACKAGE = 'org.apache.hadoop.hbase.filter.'

/** A length-delimited field of less than 16 KiB. */
export function field(number: number, value: Buffer | string): Buffer {
  const bytes = Buffer.from(value)
  const { length } = bytes
  const size = length < 0x80 ? [length] : [(length & 0x7f) | 0x80, length >> 7]
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...size]), bytes])
}

export function named(name: string, serialized: Buffer | string = ''): Buffer {
  return Buffer.concat([field(1, name), field(2, Buffer.from(serialized))])
}

export function filter(name: string, hex = ''): Buffer {
  return named(PACKAGE + name, Buffer.from(hex, 'hex'))
}

export function encoded(tree: Filter): Buffer {
  return Buffer.from(encodeFilter(tree))
}

export function comparing(comparator: object): Buffer {
  return encoded({ kind: 'RowFilter', operator: 'EQUAL', comparator: comparator as Comparator })
}

export const regex = {
  kind: 'RegexStringComparator',
  pattern: 'a',
  flags: 32,
  charset: 'UTF-8',
  engine: 'JAVA',
}

export function refusalOf(bytes: Buffer): HBaseError {
  try {
    decodeFilter(bytes)
  } catch (error) {
    if (error instanceof HBaseError) return error
    throw error
  }
  throw new Error('taken')
}
