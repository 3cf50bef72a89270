/** Reads a file of certificates and keys. Its first bytes show its form. */

import { readFileSync } from 'node:fs'
import { reasonOf } from '../../../model/error-reason.ts'
import { messageOf } from '../../../model/message-of.ts'
import type { KeyStoreFile } from '../../settings/cluster-tls-options.ts'
import { readJks } from './jks-store.ts'
import type { KeyStore } from './key-store.ts'
import { KeyStoreError } from './key-store-error.ts'
import { readPem } from './pem-store.ts'
import { readPkcs12 } from './pkcs12-store.ts'

const JKS_MAGIC = 0xfeedfeed
const JCEKS_MAGIC = 0xcececece
const MAGIC_BYTES = 4
/** The tag of a sequence in DER, with which PKCS #12 begins. */
const SEQUENCE = 0x30
/** Messages of the readers about a password that does not fit. */
const WRONG_PASSWORD = /password|bad decrypt|passphrase|cannot recover key/i

/** Throws KeyStoreError. */
export function readKeyStore(file: KeyStoreFile): KeyStore {
  const { key, path, password } = file
  const bytes = bytesOf(file)
  const reader = readerOf(bytes, file)
  try {
    return reader(bytes, password)
  } catch (error) {
    const reason = messageOf(error)
    if (WRONG_PASSWORD.test(reason)) throw wrongPassword(file, error)
    throw new KeyStoreError(key, `${path} cannot be used (${reason})`, { cause: error })
  }
}

function wrongPassword(
  { path, password, passwordKey, passwordStoreKey }: KeyStoreFile,
  cause: unknown,
): KeyStoreError {
  const reason =
    password === '' && passwordStoreKey !== undefined
      ? `${path} needs a password, and Tidegate does not read the store of passwords that ${passwordStoreKey} names: state the password as ${passwordKey}, in the file of --config or with -D`
      : `the password does not open ${path}`
  return new KeyStoreError(passwordKey, reason, { cause })
}

function bytesOf({ key, path }: KeyStoreFile): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new KeyStoreError(key, `${path} cannot be read (${reasonOf(error)})`, { cause: error })
  }
}

function readerOf(bytes: Buffer, { key, path }: KeyStoreFile): (bytes: Buffer, password: string) => KeyStore {
  const magic = bytes.length < MAGIC_BYTES ? 0 : bytes.readUInt32BE(0)
  if (magic === JKS_MAGIC) return readJks
  if (magic === JCEKS_MAGIC)
    throw new KeyStoreError(
      key,
      `${path} is of the type JCEKS: convert it with keytool -importkeystore -srcstoretype JCEKS -deststoretype PKCS12`,
    )
  if (bytes[0] === SEQUENCE) return readPkcs12
  if (bytes.includes('-----BEGIN ')) return readPem
  throw new KeyStoreError(key, `${path} is no file of certificates: it must be PEM, PKCS12 or JKS`)
}
