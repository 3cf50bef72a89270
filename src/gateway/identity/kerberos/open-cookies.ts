import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { KerberosError } from '../../../kerberos/kerberos.ts'
import { reasonOf } from '../../../model/error-reason.ts'
import type { SignedCookies } from '../guard/negotiate/signed-cookies.ts'
import type { CookieSettings } from './kerberos-door-settings.ts'

/** Bytes of a secret that this server makes, and the least of a file: HBase takes any. */
const SECRET_BYTES = 32
const SECRET_BYTES_MIN = 16

/** The cookies of REST. Throws KerberosError where the file of the secret cannot be used. Hadoop: FileSignerSecretProvider. */
export function openCookies({
  secretFile,
  secret,
  validitySeconds,
  domain,
  path,
}: CookieSettings): SignedCookies {
  return {
    secret:
      secretFile === undefined ? Buffer.from(secret ?? randomBytes(SECRET_BYTES)) : secretIn(secretFile),
    validityMs: validitySeconds * 1000,
    domain,
    path: path ?? '/',
  }
}

function secretIn(file: string): Buffer {
  const named = `hbase.rest.authentication.signature.secret.file ${file}`
  let secret: Buffer
  try {
    // Hadoop reads it as UTF-8: bytes that are none become other ones there, too.
    secret = Buffer.from(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new KerberosError(`${named}: ${reasonOf(error)}`, { cause: error })
  }
  // A short secret could be found from one cookie, and then signs cookies of any user.
  if (secret.length < SECRET_BYTES_MIN)
    throw new KerberosError(
      `${named} has ${secret.length} bytes: it must have ${SECRET_BYTES_MIN} or more; make it by "openssl rand -base64 -out ${file} ${SECRET_BYTES}"`,
    )
  return secret
}
