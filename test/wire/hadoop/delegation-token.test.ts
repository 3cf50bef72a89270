import { expect, test } from 'vitest'
import {
  decodeIdentifier,
  decodeToken,
  encodeIdentifier,
  encodeToken,
  type TokenIdentifier,
} from '../../../src/wire/hadoop/delegation-token.ts'
import { WritableReader, writableNumber } from '../../../src/wire/hadoop/writable.ts'
import { SimRandom } from '../../harness/simulation/sim-random.ts'

/** Hadoop: WritableUtils.writeVLong of the same numbers. */
test.each([
  [0, '00'],
  [127, '7f'],
  [128, '8f80'],
  [255, '8fff'],
  [256, '8e0100'],
  [1_700_000_000_000, '8a018bcfe56800'],
  [Number.MAX_SAFE_INTEGER, '891fffffffffffff'],
])('the number %d', (value, hex) => {
  expect(writableNumber(value).toString('hex')).toBe(hex)
  expect(new WritableReader(Buffer.from(hex, 'hex')).number()).toBe(value)
})

test.each(['', '8f', '8e01', '8820000000000000', '80', 'ff', '87', '8800'])('no number: %s', (hex) => {
  expect(() => new WritableReader(Buffer.from(hex, 'hex')).number()).toThrow(/malformed/)
})

test('made tokens are read as they were made, and no cut one is', () => {
  const random = new SimRandom(7)
  const bytes = (): Buffer => Buffer.from(Array.from({ length: random.below(200) }, () => random.below(256)))
  const text = (): string => random.of(['', 'alice', 'größe', 'x'.repeat(300)])
  const number = (): number => Math.floor(random.next() * 2 ** random.below(53))
  for (let turn = 0; turn < 500; turn++) {
    const made: TokenIdentifier = {
      owner: text(),
      renewer: text(),
      realUser: text(),
      issuedMs: number(),
      maxMs: number(),
      sequence: number(),
      keyId: number(),
    }
    const identifier = encodeIdentifier(made)
    expect(decodeIdentifier(identifier)).toEqual(made)
    const cut = identifier.subarray(0, random.below(identifier.length))
    expect(() => decodeIdentifier(cut)).toThrow(/malformed/)
    expect(() => decodeIdentifier(Buffer.concat([identifier, Buffer.of(0)]))).toThrow(/too long/)
    const token = { identifier, password: bytes(), kind: text(), service: text() }
    expect(decodeToken(encodeToken(token))).toEqual(token)
  }
})

test("an identifier has the bytes of YARN's protobuf message", () => {
  const made: TokenIdentifier = {
    owner: 'alice',
    renewer: 'yarn',
    realUser: '',
    issuedMs: 1_700_000_000_000,
    maxMs: 1_700_604_800_000,
    sequence: 300,
    keyId: 1,
  }
  const hex = '0a05616c6963651204 7961726e 1a00 2080d095ffbc31 2880d8c79fbf31 30ac02 3801'.replaceAll(' ', '')
  expect(encodeIdentifier(made).toString('hex')).toBe(hex)
  expect(decodeIdentifier(Buffer.from(hex, 'hex'))).toEqual(made)
})

test.each([
  ['of HDFS', '0005616c696365047961726e00'],
  ['with fields in another order', '1200'],
  ['with a number beyond 2^53', '0a0012001a0020ffffffffffffff7f'],
  ['with a number without an end', '0a0012001a0020ffffffffffffffffffff01'],
])('an identifier %s is refused', (_, hex) => {
  expect(() => decodeIdentifier(Buffer.from(hex, 'hex'))).toThrow(/malformed/)
})

test('a token of more than 8192 characters is not decoded', () => {
  expect(() => decodeToken('A'.repeat(8193))).toThrow(/no base64/)
})
