import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ownHost } from '../../../../src/doors/rest/http/own-host.ts'

function of(host: string | undefined, localAddress = '127.0.0.1'): string {
  const ends = { localAddress: { value: localAddress }, localPort: { value: 8080 } }
  const socket = Object.defineProperties(new Socket(), ends)
  return ownHost({ headers: { host }, socket } as unknown as IncomingMessage)
}

test.each([
  ['gateway.example', 'gateway.example'],
  ['gateway.example:8443', 'gateway.example:8443'],
  ['a_b', 'a_b'],
  ['10.0.0.1:80', '10.0.0.1:80'],
  ['[fd00::1]:80', '[fd00::1]:80'],
  ['::1', '[::1]'],
])('%s is the host that answers name', (host, named) => {
  expect(of(host)).toBe(named)
})

test.each([
  undefined,
  '',
  '"><script>',
  'a b',
  'evil.example/x?',
  'user@host',
  'x:99999',
  'x:abc',
  '[::1',
  'é',
  'a\nb',
  ':80',
])('%j is none, and the own end of the connection counts', (host) => {
  expect(of(host)).toBe('127.0.0.1:8080')
})

test('the local address may be IPv6, or IPv4 mapped into IPv6', () => {
  expect(of('', 'fd00::1')).toBe('[fd00::1]:8080')
  expect(of('', '::ffff:10.1.2.3')).toBe('10.1.2.3:8080')
})

test('the address of any header is a URL of that host alone', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.webAuthority({ withPort: true, withIPv6: true }))
  fc.assert(
    fc.property(text, (host) => {
      const url = new URL(`http://${of(host)}/t/scanner/1`)
      expect([url.pathname, url.search, url.hash, url.username]).toEqual(['/t/scanner/1', '', '', ''])
    }),
  )
})
