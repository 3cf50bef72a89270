/** The names in a keytab, a file of keys in the format of MIT Kerberos (version 2). */

import { principalText } from './principal.ts'

const VERSION_2 = 0x0502
const LENGTH_BYTES = 2

/** The principals, `HTTP/host@REALM`, each once, in the order of the file. Empty for other bytes; damaged entries are left out. */
export function keytabPrincipals(keytab: Buffer): readonly string[] {
  if (keytab.length < LENGTH_BYTES || keytab.readUInt16BE(0) !== VERSION_2) return []
  const names = new Set<string>()
  let at = LENGTH_BYTES
  while (at + 4 <= keytab.length) {
    const size = keytab.readInt32BE(at)
    at += 4
    // A size below 0 is that of a removed entry; 0 ends the file.
    if (size === 0) break
    const name = size > 0 ? principalIn(keytab.subarray(at, at + size)) : undefined
    if (name !== undefined) names.add(name)
    at += Math.abs(size)
  }
  return [...names]
}

function principalIn(entry: Buffer): string | undefined {
  if (entry.length < LENGTH_BYTES) return undefined
  const [realm = '', ...components] = texts(entry, entry.readUInt16BE(0) + 1)
  if (realm === '' || components.length === 0 || components.includes('')) return undefined
  return principalText({ components, realm })
}

/** So many texts behind the entry's first number, each behind its length; none where they are not whole. */
function texts(entry: Buffer, count: number): string[] {
  const found: string[] = []
  let at = LENGTH_BYTES
  while (found.length < count) {
    if (at + LENGTH_BYTES > entry.length) return []
    const end = at + LENGTH_BYTES + entry.readUInt16BE(at)
    if (end > entry.length) return []
    found.push(entry.toString('utf8', at + LENGTH_BYTES, end))
    at = end
  }
  return found
}
