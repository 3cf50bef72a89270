import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  domainColumnKey,
  domainPrefix,
  ownedDomainPrefix,
} from '../../../src/doors/timeline/keys/domain-keys.ts'
import {
  domainKeyOf,
  entityKey,
  eventKey,
  filterKey,
  indexPrefix,
  infoKey,
  parseEntityKey,
  relatedKey,
  startTimeKey,
  typePrefix,
} from '../../../src/doors/timeline/keys/entity-keys.ts'
import {
  KeyParser,
  LONG_MAX,
  reversedTime,
  timeOfReversed,
} from '../../../src/doors/timeline/keys/key-bytes.ts'
import { SEED, testRuns } from '../../harness/test-runs.ts'

const NAME = { type: 'type_1', id: 'id_1' }
const TIME = 1425447797805n
/** Without half pairs of surrogates. */
function isWellFormed(text: string): boolean {
  return Buffer.from(text).toString() === text
}

const runs = { ...(SEED !== undefined && { seed: SEED }), numRuns: testRuns(300) }
const anyLong = fc.bigInt({ min: -(2n ** 63n), max: LONG_MAX })
const anyName = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0') && isWellFormed(text))

/** As the files of a real store show them. */
function shown(key: Buffer): string {
  return key
    .toString('latin1')
    .replace(/[^ -~]/g, (byte) => `\\${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

describe('keys as a real store of Hadoop 3.3.6 has them', () => {
  const key = entityKey(NAME, TIME)

  test('times are reversed', () => {
    expect(reversedTime(TIME).toString('hex')).toBe('7ffffeb41cb0bbd2')
    expect(reversedTime(LONG_MAX).toString('hex')).toBe('0000000000000000')
    expect(reversedTime(-1n).toString('hex')).toBe('8000000000000000')
  })

  test.each([
    [startTimeKey(NAME), 'type_1\\00id_1'],
    [key, 'type_1\\00\\7f\\ff\\fe\\b4\\1c\\b0\\bb\\d2id_1\\00'],
    [domainKeyOf(key), 'type_1\\00\\7f\\ff\\fe\\b4\\1c\\b0\\bb\\d2id_1\\00d'],
    [
      eventKey(key, 1425447797806n, 'ev'),
      'type_1\\00\\7f\\ff\\fe\\b4\\1c\\b0\\bb\\d2id_1\\00e\\7f\\ff\\fe\\b4\\1c\\b0\\bb\\d1ev',
    ],
    [
      filterKey(key, 'user', Buffer.from('V')),
      'type_1\\00\\7f\\ff\\fe\\b4\\1c\\b0\\bb\\d2id_1\\00fuser\\00V',
    ],
    [infoKey(key, 'big'), 'type_1\\00\\7f\\ff\\fe\\b4\\1c\\b0\\bb\\d2id_1\\00ibig'],
    [
      relatedKey(entityKey({ type: 'type_2', id: 'r1' }, TIME), NAME),
      'type_2\\00\\7f\\ff\\fe\\b4\\1c\\b0\\bb\\d2r1\\00rtype_1\\00id_1',
    ],
    [
      Buffer.concat([indexPrefix('user', Buffer.from('V')), key]),
      'user\\00V\\00type_1\\00\\7f\\ff\\fe\\b4\\1c\\b0\\bb\\d2id_1\\00',
    ],
    [entityKey({ type: 't', id: 'noth' }, LONG_MAX), 't\\00\\00\\00\\00\\00\\00\\00\\00\\00noth\\00'],
    [domainColumnKey(domainPrefix('DEFAULT'), 'times'), 'DEFAULT\\00t'],
    [domainColumnKey(ownedDomainPrefix('root', 'DEFAULT'), 'writers'), 'root\\00DEFAULT\\00w'],
  ])('%#', (made, expected) => {
    expect(shown(made)).toBe(expected)
  })
})

test('a reversed time is read again, and later times come first', () => {
  fc.assert(
    fc.property(anyLong, anyLong, (a, b) => {
      expect(timeOfReversed(reversedTime(a))).toBe(a)
      if (a >= 0n && b >= 0n)
        expect(Math.sign(reversedTime(a).compare(reversedTime(b)))).toBe(a < b ? 1 : a > b ? -1 : 0)
    }),
    runs,
  )
})

test('what a key is made of is read from it again', () => {
  fc.assert(
    fc.property(anyName, anyName, anyLong, anyLong, anyName, (type, id, start, time, name) => {
      const key = entityKey({ type, id }, start)
      expect(parseEntityKey(key, typePrefix(type).length)).toEqual({ startTime: start, id, end: key.length })
      const event = new KeyParser(eventKey(key, time, name), key.length + 1)
      expect([event.time(), event.text()]).toEqual([time, name])
      const related = new KeyParser(relatedKey(key, { type: name, id }), key.length + 1)
      expect([related.text(), related.text()]).toEqual([name, id])
      const filter = new KeyParser(filterKey(key, name, Buffer.from('a\0b')), key.length + 1)
      expect([filter.text(), filter.rest().toString()]).toEqual([name, 'a\0b'])
    }),
    runs,
  )
})
