/** A look at a keytab's first bytes: the libraries say `nonexistent or empty` of a missing file, an empty one and one that is no keytab. */

import { closeSync, openSync, readSync } from 'node:fs'
import { reasonOf } from '../../model/error-reason.ts'
import { KerberosError } from '../kerberos.ts'

/** The first byte of each version of the format. The second is the version, 1 or 2. */
const FIRST_BYTE = 5
const HEAD_BYTES = 2
const REMEDY = 'make it by ktadd of kadmin, or by ktutil'

/**
 * Throws KerberosError where the file is missing, empty or no keytab. Keytabs of other kinds than files are left to the library. `keytab`: a
 * path, with FILE: before it or without. `doing`: as in `cannot log in as P`.
 */
export function checkKeytabFile(keytab: string, doing: string): void {
  const [, kind = 'FILE', path = keytab] = /^([A-Z]+):(.*)$/s.exec(keytab) ?? []
  if (kind !== 'FILE' && kind !== 'WRFILE') return
  const head = Buffer.alloc(HEAD_BYTES)
  let read: number
  try {
    read = readHead(path, head)
  } catch (error) {
    const advice = (error as NodeJS.ErrnoException).code === 'ENOENT' ? ` (${REMEDY})` : ''
    throw new KerberosError(`${doing}: ${reasonOf(error)}${advice}`)
  }
  if (read === 0) throw new KerberosError(`${doing}: the file is empty (${REMEDY})`)
  if (read < HEAD_BYTES || head[0] !== FIRST_BYTE || ![1, 2].includes(head[1]!))
    throw new KerberosError(
      `${doing}: the file is no keytab: it does not begin with the bytes 05 02 (${REMEDY})`,
    )
}

function readHead(path: string, head: Buffer): number {
  const file = openSync(path, 'r')
  try {
    return readSync(file, head)
  } finally {
    closeSync(file)
  }
}
