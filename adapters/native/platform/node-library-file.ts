import { readFileSync } from 'node:fs'

/** A file of an installed library, such as its WebAssembly: no file of the store, so that tests need not replace it. */
export function readLibraryFile(path: string): Buffer {
  return readFileSync(path)
}
