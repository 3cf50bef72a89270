import { createRequire } from 'node:module'
import type * as Re2 from 're2js'

let loaded: typeof Re2 | undefined

/** RE2, loaded when the first pattern needs it: it is the largest module of all, and most servers never see a pattern. */
export function re2(): typeof Re2 {
  loaded ??= createRequire(import.meta.url)('re2js') as typeof Re2
  return loaded
}
