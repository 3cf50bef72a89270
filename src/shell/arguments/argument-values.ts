/** Arguments of commands, checked as HBase's shell checks them. */

import { parseTableName, type TableName } from '../../model/table-name.ts'
import { refuse } from '../output/shell-error.ts'
import type { TableReference } from '../ruby/shell-objects.ts'
import { bytesOf, className, inspect, isShellObject, RubyHash, textOf, type Value } from '../ruby/values.ts'

/** The table that a name or a table reference stands for. */
export function tableOf(value: Value | undefined): TableName {
  return parseTableName(tableText(value))
}

/** The name of a table as the user wrote it, or as a table reference has it. */
export function tableText(value: Value | undefined): string {
  if (value === undefined) refuse('a table is missing')
  if (isShellObject(value) && value.kind === 'table') return (value as TableReference).table
  if (!Buffer.isBuffer(value)) refuse('Table name must be of type String')
  return value.toString()
}

/** A copy of a hash; an empty one for an absent argument. */
export function hashOf(value: Value | undefined, message = 'Arguments should be a Hash'): RubyHash {
  if (value === undefined) return new RubyHash()
  return value instanceof RubyHash ? value.copy() : refuse(message)
}

export function stringOf(value: Value | undefined, name: string): string {
  return Buffer.isBuffer(value) ? value.toString() : refuse(`${name} must be of type String`)
}

/** A whole number, from a number or its text. */
export function integerOf(value: Value, name: string): bigint {
  if (typeof value === 'bigint') return value
  if (Buffer.isBuffer(value) && /^[+-]?\d+$/.test(value.toString())) return BigInt(value.toString())
  if (Buffer.isBuffer(value)) refuse(`For input string: ${inspect(value)}`)
  refuse(`${name} must be a whole number, not ${inspect(value)}`)
}

const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n }

export function int64Of(value: Value, name: string): bigint {
  const number = integerOf(value, name)
  if (number < INT64.min || number > INT64.max) refuse(`${name} ${number} is beyond 64 bits`)
  return number
}

export function int32Of(value: Value, name: string): number {
  const number = integerOf(value, name)
  if (number < -0x80000000n || number > 0x7fffffffn) refuse(`${name} ${number} is beyond 32 bits`)
  return Number(number)
}

/** The items of an array, or the value alone. */
export function listOf(value: Value): readonly Value[] {
  return Array.isArray(value) ? value : [value]
}

/** The value as Java's Boolean.valueOf reads it: only `true`, in any case, is true. */
export function booleanOf(value: Value | undefined): boolean {
  return value === true || (value !== undefined && textOf(value).toLowerCase() === 'true')
}

/** All items of nested arrays, without nil. Ruby: flatten.compact. */
export function flattened(values: readonly Value[]): Value[] {
  return values.flatMap((value) => (Array.isArray(value) ? flattened(value) : value === null ? [] : [value]))
}

export function notAHashOrString(value: Value): string {
  return `${className(value)} of ${inspect(value)} is not of Hash or String type`
}

/** The bytes of a text in which `\xHH` stands for a byte, as HBase's Bytes.toBytesBinary reads split keys and region keys. */
export function binaryOf(value: Value): Buffer {
  const bytes = bytesOf(value)
  const read: number[] = []
  for (let i = 0; i < bytes.length; i++) {
    const hex = bytes[i] === 0x5c ? /^\\x([0-9A-F]{2})/.exec(bytes.toString('latin1', i, i + 4)) : null
    read.push(hex === null ? bytes[i]! : Number.parseInt(hex[1]!, 16))
    if (hex !== null) i += 3
  }
  return Buffer.from(read)
}
