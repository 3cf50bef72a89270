/** Settings for people, in the log and in the console: secrets are hidden. */

import { HIDDEN, withoutLogin } from '../../model/without-login.ts'

/** Values of keys with such names are secrets. */
const SECRET = /pass(?:word|phrase)|secret|token|credential|private/i
/** Such keys have a path or a time, and no secret. */
const PLAIN = /\.(?:file|location|type|lifetime|validity|interval)$/i

/** The value of a key of hbase-site.xml. */
export function withoutSecret(key: string, value: string): string {
  return SECRET.test(key) && !PLAIN.test(key) ? HIDDEN : withoutLogin(value)
}
