import { readFileSync } from 'node:fs'
import { parseSchema, type Schema } from './schema.ts'

/** The folder idl/ as seen from this file, in the sources and in dist/. */
const PLACES = ['../../../idl/', '../../../../idl/']

/** The schema of `idl/<name>.thrift`. */
export function loadSchema(name: 'thrift1' | 'thrift2'): Schema {
  for (const place of PLACES) {
    const file = new URL(`${place}${name}.thrift`, import.meta.url)
    try {
      return parseSchema(readFileSync(file, 'utf8'))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  throw new Error(`idl/${name}.thrift is missing from this installation`)
}
