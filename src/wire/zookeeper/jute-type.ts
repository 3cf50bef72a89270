/** The types of jute, named as in idl/zookeeper.jute: each reads and writes its values, and records consist of them. */

import { HBaseError } from '../../model/errors.ts'
import type { JuteReader } from './jute-reader.ts'
import type { JuteWriter } from './jute-writer.ts'

export interface JuteType<T> {
  /** The type's name in the IDL. */
  readonly name: string
  /** The least bytes of a value. */
  readonly bytesMin: number
  /** Throws IO for bytes that are no value of the type. */
  read(reader: JuteReader): T
  write(writer: JuteWriter, value: T): void
}

/** The fields of a record in their order. */
export type JuteFields<T> = { readonly [K in keyof T]: JuteType<T[K]> }

export interface JuteRecord<T> extends JuteType<T> {
  readonly fields: JuteFields<T>
}

export const BOOLEAN: JuteType<boolean> = {
  name: 'boolean',
  bytesMin: 1,
  read: (reader) => reader.boolean(),
  write: (writer, value) => writer.boolean(value),
}

/** A boolean at the end of a message, which older peers leave out for false. */
export const LATE_BOOLEAN: JuteType<boolean> = {
  name: 'boolean',
  bytesMin: 0,
  read: (reader) => reader.remaining > 0 && reader.boolean(),
  write: (writer, value) => writer.boolean(value),
}

export const INT: JuteType<number> = {
  name: 'int',
  bytesMin: 4,
  read: (reader) => reader.int(),
  write: (writer, value) => writer.int(value),
}

export const LONG: JuteType<bigint> = {
  name: 'long',
  bytesMin: 8,
  read: (reader) => reader.long(),
  write: (writer, value) => writer.long(value),
}

export const USTRING: JuteType<string> = {
  name: 'ustring',
  bytesMin: 4,
  read: (reader) => {
    const text = reader.string()
    if (text === null) throw new HBaseError('IO', 'A string of a ZooKeeper message is null')
    return text
  },
  write: (writer, value) => writer.string(value),
}

export const BUFFER: JuteType<Buffer | null> = {
  name: 'buffer',
  bytesMin: 4,
  read: (reader) => reader.buffer(),
  write: (writer, value) => writer.buffer(value),
}

export function vectorOf<T>(element: JuteType<T>): JuteType<readonly T[]> {
  return {
    name: `vector<${element.name}>`,
    bytesMin: 4,
    read: (reader) => {
      const values: T[] = []
      for (let left = reader.count(element.bytesMin); left > 0; left--) values.push(element.read(reader))
      return values
    },
    write: (writer, values) => {
      writer.int(values.length)
      for (const value of values) element.write(writer, value)
    },
  }
}

export function record<T extends object>(name: string, fields: JuteFields<T>): JuteRecord<T> {
  const keys = Object.keys(fields) as (keyof T)[]
  return {
    name,
    fields,
    bytesMin: keys.reduce((sum, key) => sum + fields[key].bytesMin, 0),
    read: (reader) => {
      const value: Partial<T> = {}
      for (const key of keys) value[key] = fields[key].read(reader)
      return value as T
    },
    write: (writer, value) => {
      for (const key of keys) fields[key].write(writer, value[key])
    },
  }
}
