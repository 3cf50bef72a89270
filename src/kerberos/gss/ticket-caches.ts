/** Caches in memory for the tickets of a keytab. libkrb5 keeps each until it is destroyed, for which GSSAPI has no call. */

import { createRequire } from 'node:module'
import type * as Koffi from 'koffi'
import { pointerTo, readPointer } from './gss-memory.ts'

const LIBRARIES = ['libkrb5.so.3', 'libkrb5.so.26', 'libkrb5.dylib']
const IN_MEMORY = 'MEMORY:tidegate-'

let made = 0

/** The name of a new cache. Each login from a keytab has one of its own: the library would keep the older tickets of one that it knows. */
export function newTicketCache(): string {
  return `${IN_MEMORY}${process.pid}-${++made}`
}

/** Destroys a cache that `newTicketCache` has named. Does nothing to others, which belong to other programs. */
export function destroyTicketCache(name: string): void {
  if (!name.startsWith(IN_MEMORY)) return
  library ??= openLibrary()
  // Without the library the cache stays, with its few tickets.
  library?.destroy(Buffer.from(`${name}\0`))
}

interface Krb5 {
  readonly destroy: (name: Buffer) => void
}

let library: Krb5 | undefined

function openLibrary(): Krb5 | undefined {
  const koffi = createRequire(import.meta.url)('koffi') as typeof Koffi
  for (const name of LIBRARIES) {
    try {
      return functionsOf(koffi.load(name))
    } catch {
      // The next name may be that of this system.
    }
  }
  return undefined
}

function functionsOf(opened: Koffi.LibraryHandle): Krb5 {
  const pointer = 'void *'
  const begin = opened.func('krb5_init_context', 'int', [pointer])
  const resolve = opened.func('krb5_cc_resolve', 'int', [pointer, pointer, pointer])
  const destroy = opened.func('krb5_cc_destroy', 'int', [pointer, pointer])
  const end = opened.func('krb5_free_context', 'void', [pointer])
  return {
    destroy(name) {
      const [context, cache] = [pointerTo(), pointerTo()]
      if (begin(context) !== 0) return
      if (resolve(readPointer(context), name, cache) === 0) destroy(readPointer(context), readPointer(cache))
      end(readPointer(context))
    },
  }
}
