import { expect, test } from 'vitest'
import { keytabPrincipals } from '../../src/kerberos/names/keytab-principals.ts'
import { keytabBytes, keytabHole } from '../harness/kerberos/keytab-bytes.ts'

const NAMES = ['HTTP/localhost@TIDEGATE.TEST', 'hbase/localhost@TIDEGATE.TEST', 'alice@TIDEGATE.TEST']

test('each principal is named once, in the order of the file', () => {
  expect(keytabPrincipals(keytabBytes(...NAMES, NAMES[0]!))).toEqual(NAMES)
  expect(keytabPrincipals(keytabBytes('jürgen/höst@R'))).toEqual(['jürgen/höst@R'])
})

test('removed entries are passed over, and zeros end the file', () => {
  const [first, second] = [keytabBytes(NAMES[0]!), keytabBytes(NAMES[1]!).subarray(2)]
  expect(keytabPrincipals(Buffer.concat([first, keytabHole(40), second]))).toEqual(NAMES.slice(0, 2))
  expect(keytabPrincipals(Buffer.concat([first, Buffer.alloc(4), second]))).toEqual(NAMES.slice(0, 1))
})

test('other bytes have no principals, and cut files those that are whole', () => {
  for (const bytes of [Buffer.alloc(0), Buffer.of(5), Buffer.of(5, 1, 0, 0), Buffer.from('no keytab')])
    expect(keytabPrincipals(bytes)).toEqual([])
  const whole = keytabBytes(...NAMES)
  for (let length = 0; length < whole.length; length++) {
    const found = keytabPrincipals(whole.subarray(0, length))
    expect(NAMES.slice(0, found.length)).toEqual(found)
  }
})

test('an entry whose lengths point past its end is left out', () => {
  const damaged = keytabBytes(...NAMES)
  // The length of the first realm.
  damaged.writeUInt16BE(0xffff, 2 + 4 + 2)
  expect(keytabPrincipals(damaged)).toEqual(NAMES.slice(1))
})
