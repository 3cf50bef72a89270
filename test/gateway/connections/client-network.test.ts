import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clientNetwork } from '../../../src/gateway/connections/client-network.ts'

const group = fc.integer({ min: 0, max: 0xffff })
const groups = fc.array(fc.oneof(group, fc.constant(0)), { minLength: 8, maxLength: 8 })

/** Every way to write it: whole, with zeros before, in capitals, with each run of zeros left out. */
function spellings(parts: readonly number[]): string[] {
  const plain = parts.map((part) => part.toString(16))
  const all = [plain.join(':'), plain.map((part) => part.padStart(4, '0').toUpperCase()).join(':')]
  for (let from = 0; from < 8; from++)
    for (let to = from + 1; to <= 8 && parts[to - 1] === 0; to++)
      all.push(`${plain.slice(0, from).join(':')}::${plain.slice(to).join(':')}`)
  return all
}

test('an address of IPv6 is its first 64 bits, however it is written', () => {
  fc.assert(
    fc.property(groups, fc.array(group, { minLength: 4, maxLength: 4 }), (parts, rest) => {
      const network = clientNetwork(spellings(parts)[0]!)
      for (const text of spellings(parts)) expect(clientNetwork(text)).toBe(network)
      expect(clientNetwork(spellings([...parts.slice(0, 4), ...rest])[0]!)).toBe(network)
    }),
  )
})

test('other first 64 bits are another network', () => {
  fc.assert(
    fc.property(groups, fc.nat({ max: 3 }), fc.integer({ min: 1, max: 0xffff }), (parts, at, change) => {
      const other = parts.with(at, parts[at]! ^ change)
      expect(clientNetwork(spellings(other)[0]!)).not.toBe(clientNetwork(spellings(parts)[0]!))
    }),
  )
})

test.each([
  ['10.1.2.3', '10.1.2.3'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['::FFFF:0a01:203', '10.1.2.3'],
  ['0:0:0:0:0:ffff:10.1.2.3', '10.1.2.3'],
  ['::1', '0:0:0:0::/64'],
  ['64:ff9b::10.1.2.3', '64:ff9b:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64%eth0'],
  ['', ''],
  ['no address', 'no address'],
])('%s is of %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network)
})
