import { describe, expect, test } from 'vitest'
import {
  canonicalHost,
  type HostNames,
  hasHostPattern,
  serverPrincipal,
} from '../../src/kerberos/names/server-principal.ts'

test.each([
  ['hbase/_HOST@R', 'Host.Example', 'hbase/host.example@R'],
  ['hbase/fixed@R', 'host', 'hbase/fixed@R'],
  ['hbase@R', 'host', 'hbase@R'],
  ['_HOST/hbase@R', 'host', '_HOST/hbase@R'],
  ['hbase/_HOST', 'host', 'hbase/_HOST'],
  ['hbase/x_HOST@R', 'host', 'hbase/x_HOST@R'],
  ['hbase/_HOST@R', '::1', 'hbase/::1@R'],
])('%s at %s', (pattern, host, expected) => {
  expect(serverPrincipal(pattern, host)).toBe(expected)
  expect(hasHostPattern(pattern)).toBe(pattern !== expected)
})

const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  'Alias.example': ['10.0.0.1'],
  'real.example': ['10.0.0.9', '10.0.0.1'],
  'me.example': ['10.0.0.2'],
  'own.example': ['10.0.0.2'],
  'liar.example': ['10.0.0.3'],
  'nameless.example': ['10.0.0.4'],
}
const NAMES: Readonly<Record<string, string>> = {
  '10.0.0.1': 'Real.example'.toLowerCase(),
  '10.0.0.2': 'own.example',
  '10.0.0.3': 'own.example',
}
const HOST_NAMES: HostNames = {
  addressesOf: async (name) => ADDRESSES[name] ?? Promise.reject(new Error('ENOTFOUND')),
  nameOf: async (address) => NAMES[address] ?? Promise.reject(new Error('ENOTFOUND')),
  own: () => 'me.example',
}

describe('the name of a host is that of its address', () => {
  test.each([
    ['Alias.example', 'real.example'],
    ['10.0.0.1', 'real.example'],
    ['', 'own.example'],
    ['0.0.0.0', 'own.example'],
    ['::', 'own.example'],
    // The owner of an address can claim another's name.
    ['liar.example', 'liar.example'],
    ['nameless.example', 'nameless.example'],
    ['Absent.example', 'absent.example'],
    ['10.0.0.4', '10.0.0.4'],
  ])('%s', async (host, expected) => {
    await expect(canonicalHost(host, HOST_NAMES)).resolves.toBe(expected)
  })

  test('by the resolver of the system, for this machine', async () => {
    await expect(canonicalHost('127.0.0.1')).resolves.toMatch(/^[a-z0-9.-]+$/)
  })
})
