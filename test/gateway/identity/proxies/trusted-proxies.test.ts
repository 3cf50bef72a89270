import type { IncomingMessage, ServerResponse } from 'node:http'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAddressOrRange } from '../../../../src/gateway/connections/address-set.ts'
import { isEncrypted, placeOf } from '../../../../src/gateway/identity/proxies/request-origin.ts'
import { TrustedProxies } from '../../../../src/gateway/identity/proxies/trusted-proxies.ts'
import { socketFrom } from '../../../harness/login-place.ts'

const PROXIES = new TrustedProxies(['10.0.0.1', '10.1.0.0/16', 'fd00::/8'])

interface Heard {
  readonly address?: string
  readonly isEncrypted?: boolean
  readonly refusal?: string
}

function heard(peer: string, headers: Readonly<Record<string, string>>): Heard {
  const incoming = { headers, socket: socketFrom(peer) } as unknown as IncomingMessage
  let answer: Heard | undefined
  const outgoing = {
    writeHead: (status: number) => {
      expect(status).toBe(400)
      return { end: (refusal: string) => (answer = { refusal }) }
    },
  } as unknown as ServerResponse
  let refusals = 0
  PROXIES.before(
    () => (answer = { address: placeOf(incoming, 'rest').address, isEncrypted: isEncrypted(incoming) }),
    () => refusals++,
  )(incoming, outgoing)
  expect(refusals).toBe(answer?.refusal === undefined ? 0 : 1)
  return answer!
}

const CHAINS: readonly (readonly [chain: string, client: string])[] = [
  ['192.0.2.7', '192.0.2.7'],
  ['203.0.113.1, 192.0.2.7', '192.0.2.7'],
  ['192.0.2.7, 10.1.2.3', '192.0.2.7'],
  ['192.0.2.7,10.1.2.3 ,\tfd00::5', '192.0.2.7'],
  ['anything at all, 192.0.2.7, 10.1.2.3', '192.0.2.7'],
  ['10.1.0.1, 10.1.0.2', '10.1.0.1'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['192.0.2.7:4711', '192.0.2.7'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]:4711', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
]

describe('a trusted proxy', () => {
  test.each(CHAINS)('%j is the client %s', (chain, address) => {
    expect(heard('10.0.0.1', { 'x-forwarded-for': chain })).toEqual({ address, isEncrypted: false })
  })

  test.each(['10.0.0.1', '::ffff:10.1.255.255', 'fd12::1'])('%s is one', (peer) => {
    expect(heard(peer, { 'x-forwarded-for': '192.0.2.7' }).address).toBe('192.0.2.7')
  })

  test('without a header is the client itself', () => {
    expect(heard('10.0.0.1', {})).toEqual({ address: '10.0.0.1', isEncrypted: false })
  })

  test.each([
    'unknown',
    '',
    ',',
    '192.0.2.7,',
    '192.0.2.300',
    '_hidden',
    'fe80::1%eth0',
    '1.2.3',
    '192.0.2.7:x',
  ])('a client %j is refused', (chain) => {
    expect(heard('10.0.0.1', { 'x-forwarded-for': chain }).refusal).toMatch(/^X-Forwarded-For of the proxy/)
    expect(heard('10.0.0.1', { 'x-forwarded-for': `${chain}, 10.1.1.1` }).refusal).toMatch(/^X-Forw/)
  })

  test('tells whether its client is encrypted', () => {
    const { isEncrypted: of } = heard('10.0.0.1', { 'x-forwarded-proto': 'HTTPS' })
    expect([of, heard('10.0.0.1', { 'x-forwarded-proto': 'http' }).isEncrypted]).toEqual([true, false])
  })

  test.each(['', 'ftp', 'https, http', 'https,https'])('a scheme %j is refused', (scheme) => {
    expect(heard('10.0.0.1', { 'x-forwarded-proto': scheme }).refusal).toMatch(
      /^X-Forwarded-Proto of the proxy/,
    )
  })
})

test('headers of other clients change nothing', () => {
  const anything = fc.oneof(fc.string(), fc.ipV4(), fc.constantFrom(...CHAINS.map(([chain]) => chain)))
  const judged = fc.property(fc.constantFrom('192.0.2.1', '10.2.0.1', '::1', ''), anything, (peer, said) => {
    const headers = { 'x-forwarded-for': said, 'x-forwarded-proto': said, forwarded: said }
    expect(heard(peer, headers)).toEqual({ address: peer, isEncrypted: false })
  })
  fc.assert(judged)
})

test('what the client puts before does not change what its proxy has put at the end', () => {
  const judged = fc.property(fc.string(), fc.ipV4(), fc.boolean(), (said, client, isFar) => {
    fc.pre(!client.startsWith('10.'))
    const chain = `${said}, ${client}${isFar ? ', 10.1.0.7' : ''}`
    expect(heard('10.0.0.1', { 'x-forwarded-for': chain }).address).toBe(client)
  })
  fc.assert(judged)
})

test.each(['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'])('%s is an address or a range', (text) => {
  expect(isAddressOrRange(text)).toBe(true)
})

test.each(['', '*', 'proxy', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/', 'fd00::/129', 'fe80::1%1'])(
  '%j is none',
  (text) => {
    expect(isAddressOrRange(text)).toBe(false)
    expect(() => new TrustedProxies([text])).toThrow(RangeError)
  },
)
