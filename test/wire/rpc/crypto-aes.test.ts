import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CryptoAesLayer,
  decodeConnectionHeaderResponse,
  encodeConnectionHeaderResponse,
  isAesTransformation,
  newCryptoAesKeys,
} from '../../../src/wire/rpc/crypto-aes.ts'
import { SaslFailure } from '../../../src/wire/sasl/sasl.ts'
import { anyBytes } from '../../model/arbitrary-cells.ts'

const from = (first: number): Buffer => Buffer.from(Array.from({ length: 16 }, (_, i) => first + i))
const CLIENT = { inKey: from(0), outKey: from(16), inIv: from(32), outIv: from(48) }
const SERVER = { inKey: from(16), outKey: from(0), inIv: from(48), outIv: from(32) }

/** As HBase 2.6.1's class CryptoAES wraps them, one after the other, with the keys of CLIENT. */
const OF_HBASE: readonly (readonly [string, string])[] = [
  ['hello', '80402aa32a084e67edb21f4716891900000000'],
  ['', 'fc97ad6c2f96c9134dad00000001'],
  [
    'a second message, longer than one block of AES',
    '23610f951be407899b6566aeb6ec4a679008786fadec139a0db69422f84a0cca1924f086b94b8be379e0b7e418b83a702099f43452bddf6400000002',
  ],
]

function anyOf(length: number): Buffer {
  return Buffer.from(Uint8Array.from({ length }, (_, at) => (at * 31) >> 3))
}

describe("HBase's encryption by AES", () => {
  test("writes HBase's bytes, and reads them", () => {
    const client = new CryptoAesLayer(CLIENT)
    const server = new CryptoAesLayer(SERVER)
    for (const [message, wrapped] of OF_HBASE) {
      expect(client.wrap(Buffer.from(message)).toString('hex')).toBe(wrapped)
      expect(server.unwrap(Buffer.from(wrapped, 'hex')).toString()).toBe(message)
    }
  })

  test('carries messages in both directions, by the keys of the answer to the connection header', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), anyBytes(0, 3000))), (messages) => {
        const keys = newCryptoAesKeys()
        const server = new CryptoAesLayer(keys)
        const client = new CryptoAesLayer(
          decodeConnectionHeaderResponse(encodeConnectionHeaderResponse(keys))!,
        )
        for (const [isOfClient, message] of messages) {
          const [sender, reader] = isOfClient ? [client, server] : [server, client]
          expect(reader.unwrap(sender.wrap(message))).toEqual(message)
        }
      }),
      { numRuns: 50 },
    )
  })

  test('has the same bytes for messages that are done in turns', async () => {
    const message = anyOf(3 * 32 * 1024 + 5)
    for (const length of [32 * 1024 - 14, 32 * 1024, 32 * 1024 + 1, message.length]) {
      const [client, inTurns] = [new CryptoAesLayer(CLIENT), new CryptoAesLayer(CLIENT)]
      const [server, reader] = [new CryptoAesLayer(SERVER), new CryptoAesLayer(SERVER)]
      for (const each of [
        message.subarray(0, length),
        Buffer.from('the next'),
        message.subarray(0, length),
      ]) {
        const token = client.wrap(each)
        expect((await inTurns.large.wrap(each)).equals(token)).toBe(true)
        expect((await reader.large.unwrap(token)).equals(server.unwrap(token))).toBe(true)
      }
    }
  })

  test('refuses a message that was changed, where it is done in turns', async () => {
    const token = new CryptoAesLayer(CLIENT).wrap(anyOf(100_000))
    for (const at of [0, 50_000, 99_999, 100_000, 100_009, 100_010, 100_013]) {
      const changed = Buffer.from(token)
      changed[at]! ^= 1
      await expect(new CryptoAesLayer(SERVER).large.unwrap(changed)).rejects.toThrow(SaslFailure)
    }
  })

  test('refuses a message that was changed, cut, repeated or left out', () => {
    const token = new CryptoAesLayer(CLIENT).wrap(Buffer.from('hello'))
    for (let at = 0; at < token.length; at++) {
      const changed = Buffer.from(token)
      changed[at]! ^= 1
      expect(() => new CryptoAesLayer(SERVER).unwrap(changed)).toThrow(SaslFailure)
      expect(() => new CryptoAesLayer(SERVER).unwrap(token.subarray(0, at))).toThrow(SaslFailure)
    }
    const server = new CryptoAesLayer(SERVER)
    server.unwrap(token)
    expect(() => server.unwrap(token)).toThrow('was changed on its way')
    const client = new CryptoAesLayer(CLIENT)
    client.wrap(Buffer.from('lost'))
    expect(() => new CryptoAesLayer(SERVER).unwrap(client.wrap(Buffer.from('next')))).toThrow(SaslFailure)
  })

  test('refuses keys of another length, another encryption and a malformed answer', () => {
    expect(() => new CryptoAesLayer({ ...CLIENT, outKey: Buffer.alloc(8) })).toThrow('key of 8 bytes')
    expect(() => new CryptoAesLayer({ ...CLIENT, inIv: Buffer.alloc(32) })).toThrow('IV of 32')
    const answer = encodeConnectionHeaderResponse(SERVER)
    const other = Buffer.from(answer.toString('latin1').replace('CTR', 'CBC'), 'latin1')
    expect(() => decodeConnectionHeaderResponse(other)).toThrow('AES/CBC/NoPadding')
    expect(() => decodeConnectionHeaderResponse(answer.subarray(0, 9))).toThrow('malformed')
    expect(decodeConnectionHeaderResponse(Buffer.alloc(0))).toBeUndefined()
    expect([isAesTransformation('aes/ctr/nopadding'), isAesTransformation('AES/CBC/NoPadding')]).toEqual([
      true,
      false,
    ])
  })
})
