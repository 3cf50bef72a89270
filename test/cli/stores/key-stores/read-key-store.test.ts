import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { KeyStoreFile } from '../../../../src/cli/settings/cluster-tls-options.ts'
import { authoritiesOf, identityOf } from '../../../../src/cli/stores/key-stores/key-store.ts'
import { KeyStoreError } from '../../../../src/cli/stores/key-stores/key-store-error.ts'
import { readKeyStore } from '../../../../src/cli/stores/key-stores/read-key-store.ts'
import { Authority } from '../../../harness/certificates.ts'
import {
  CHAIN_PEM,
  ENCRYPTED_KEY_PEM,
  KEYSTORE_JCEKS,
  KEYSTORE_JKS,
  KEYSTORE_PKCS12,
  KEYSTORE_RSA,
  PASSWORD,
  TRUSTSTORE_JAVA_8,
  TRUSTSTORE_JKS,
  TRUSTSTORE_PKCS12,
} from './made-key-stores.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-keys-'))
})

afterAll(() => rmSync(folder, { recursive: true }))

function stored(bytes: Buffer | string, password = PASSWORD, passwordStoreKey?: string): KeyStoreFile {
  const path = join(folder, `${Math.random()}`)
  writeFileSync(path, bytes)
  return { key: 'store.location', path, passwordKey: 'store.password', password, passwordStoreKey }
}

function subjects(pem: string): string[] {
  return (pem.match(/-----BEGIN [^]*?-----END CERTIFICATE-----/g) ?? []).map(
    (block) => new X509Certificate(block).subject,
  )
}

function failure(bytes: Buffer | string, password?: string): KeyStoreError {
  const file = stored(bytes, password)
  try {
    readKeyStore(file)
  } catch (error) {
    expect(error).toBeInstanceOf(KeyStoreError)
    expect((error as Error).message).toContain(file.path)
    return error as KeyStoreError
  }
  throw new Error('no failure')
}

const PEM = Buffer.from(`${CHAIN_PEM}${ENCRYPTED_KEY_PEM}`)

describe('key stores', () => {
  test.each([
    ['PKCS12', KEYSTORE_PKCS12],
    ['JKS', KEYSTORE_JKS],
    ['PEM with an encrypted key', PEM],
  ])('%s: the key with its chain, whose authority is trusted', (_, bytes) => {
    const store = readKeyStore(stored(bytes))
    const identity = identityOf(store)!
    expect(subjects(identity.certificate)).toEqual(['CN=localhost', 'CN=Fixture CA'])
    expect(new X509Certificate(identity.certificate).checkPrivateKey(store.keys[0]!)).toBe(true)
    expect(identity.key).toContain('BEGIN PRIVATE KEY')
    expect(subjects(authoritiesOf(store))).toEqual(['CN=Fixture CA'])
  })

  test.each([
    ['PKCS12', TRUSTSTORE_PKCS12],
    ['PKCS12 of Java 8', TRUSTSTORE_JAVA_8],
    ['JKS', TRUSTSTORE_JKS],
  ])('%s without a key: the authority alone', (_, bytes) => {
    const store = readKeyStore(stored(bytes))
    expect(subjects(authoritiesOf(store))).toEqual(['CN=Fixture CA'])
    expect(identityOf(store)).toBeUndefined()
  })

  test('a key of RSA; its own certificate is its authority', () => {
    const store = readKeyStore(stored(KEYSTORE_RSA))
    expect(subjects(identityOf(store)!.certificate)).toEqual(['CN=rsa'])
    expect(subjects(authoritiesOf(store))).toEqual(['CN=rsa'])
  })

  test('several authorities in a PEM file', async () => {
    const authorities = [await Authority.make('One'), await Authority.make('Two')]
    const text = authorities.map(({ certificate }) => certificate).join('\n')
    expect(subjects(authoritiesOf(readKeyStore(stored(text, ''))))).toEqual(['CN=One', 'CN=Two'])
  })

  test.each([
    ['PKCS12', KEYSTORE_PKCS12],
    ['JKS', KEYSTORE_JKS],
    ['PEM', PEM],
  ])('%s with a wrong password: the failure names the key of the password', (_, bytes) => {
    expect(failure(bytes, 'wrong')).toMatchObject({
      key: 'store.password',
      message: expect.stringContaining('the password does not open'),
    })
  })

  test('an encrypted key without a password', () => {
    expect(failure(PEM, '').key).toBe('store.password')
  })

  test.each([
    ['PKCS12', KEYSTORE_PKCS12],
    ['authorities in PKCS12', TRUSTSTORE_PKCS12],
    ['JKS', KEYSTORE_JKS],
    ['PEM', PEM],
  ])("%s whose password would stand in Hadoop's store of passwords", (_, bytes) => {
    for (const [password, message] of [
      ['', /needs a password, and .* provider.path names: state the password as store.password/],
      ['wrong', /the password does not open/],
    ] as const) {
      const file = stored(bytes, password, 'provider.path')
      expect(() => readKeyStore(file)).toThrow(expect.objectContaining({ key: 'store.password' }))
      expect(() => readKeyStore(file)).toThrow(message)
    }
    const stated = stored(bytes, PASSWORD, 'provider.path')
    expect(readKeyStore(stated).certificates.length).toBeGreaterThan(0)
  })

  test('JCEKS: the failure names the conversion', () => {
    expect(failure(KEYSTORE_JCEKS).message).toContain('keytool -importkeystore')
  })

  test('files of no known form, and cut ones', () => {
    expect(failure('').message).toContain('must be PEM, PKCS12 or JKS')
    expect(failure('hello').message).toContain('must be PEM, PKCS12 or JKS')
    expect(failure(CHAIN_PEM.replace('MII', 'AAA')).key).toBe('store.location')
    for (const bytes of [KEYSTORE_PKCS12, KEYSTORE_JKS, TRUSTSTORE_JKS])
      for (const length of [4, 20, 100, bytes.length - 1]) failure(bytes.subarray(0, length))
  })

  test('a file that is not there', () => {
    const file = { ...stored(''), path: join(folder, 'none') }
    expect(() => readKeyStore(file)).toThrow(/none cannot be read/)
  })
})
