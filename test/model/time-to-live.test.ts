import { expect, it } from 'vitest'
import { familyDescriptor, timeToLiveSecondsOf } from '../../src/model/descriptor.ts'

it.each([
  ['604800 SECONDS (7 DAYS)', '604800'],
  ['86400 SECONDS (1 DAY)', '86400'],
  ['7 DAYS', '604800'],
  ['1 day 2 hours 3 minutes 4 seconds', '93784'],
  ['90 SECONDS', '90'],
  ['FOREVER', '2147483647'],
  ['forever', '2147483647'],
  ['60', '60'],
  ['-5', '-5'],
  ['soon', 'soon'],
  ['', '2147483647'],
])('a family of TTL "%s" is kept with "%s", which every client can read', (stated, kept) => {
  expect(familyDescriptor('f', [['TTL', stated]]).attributes.get('TTL')).toBe(kept)
})

it('reads a TTL in words that an earlier version has kept', () => {
  const family = familyDescriptor('f')
  const attributes = new Map(family.attributes).set('TTL', '1 HOUR')
  expect(timeToLiveSecondsOf({ ...family, attributes })).toBe(3600)
})
