import { describe, expect, test } from 'vitest'
import {
  chosen,
  decodeChoice,
  decodeOffer,
  encodeChoice,
  encodeOffer,
} from '../../../src/kerberos/gss/security-offer.ts'
import { PROTECTIONS, SaslFailure } from '../../../src/wire/sasl/sasl.ts'

describe('the offer of a server', () => {
  test('has a bit for each protection, and the most bytes of a message', () => {
    expect(encodeOffer({ protections: PROTECTIONS, bytesMax: 0xffffff }).toString('hex')).toBe('07ffffff')
    expect(encodeOffer({ protections: ['authentication'], bytesMax: 0 }).toString('hex')).toBe('01000000')
  })

  test('of any four bytes is read, and other lengths are refused', () => {
    for (let bits = 0; bits < 256; bits++) {
      const { protections, bytesMax } = decodeOffer(Buffer.from([bits, 1, 2, 3]))
      expect(bytesMax).toBe(0x010203)
      expect(encodeOffer({ protections, bytesMax })[0]).toBe(bits & 7)
    }
    for (const length of [0, 1, 3, 5, 100])
      expect(() => decodeOffer(Buffer.alloc(length))).toThrow(SaslFailure)
  })
})

describe('the choice of a client', () => {
  test('names one protection and the user for whom it acts', () => {
    for (const protection of PROTECTIONS) {
      const choice = { protection, bytesMax: 65_536, authorized: 'zoé' }
      expect(decodeChoice(encodeChoice(choice), PROTECTIONS)).toEqual(choice)
    }
  })

  test('of no protection, of several, of an unknown one and of one that was not offered is refused', () => {
    for (const first of [0, 3, 6, 7, 8, 9, 255])
      expect(() => decodeChoice(Buffer.from([first, 0, 0, 0]), PROTECTIONS)).toThrow(SaslFailure)
    expect(() => decodeChoice(Buffer.from([1, 0, 0, 0]), ['privacy'])).toThrow('takes privacy')
    for (const length of [0, 1, 3])
      expect(() => decodeChoice(Buffer.alloc(length), PROTECTIONS)).toThrow(SaslFailure)
  })

  test('is the first that the client likes', () => {
    expect(chosen(['privacy', 'integrity'], ['authentication', 'integrity'])).toBe('integrity')
    expect(() => chosen(['privacy'], [])).toThrow('no protection')
  })
})
