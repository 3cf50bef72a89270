import { describe, expect, test } from 'vitest'
import { encodedPath, plainPath } from '../../../adapters/servers/rest/key-paths.ts'

describe('a row whose encoded key is the name of a resource of its table', () => {
  test('has padding, which no resource has', () => {
    const row = Buffer.from('regions', 'base64url')
    const { path } = encodedPath('t', row, [])
    expect(path).toBe('/t/regions=')
    expect(Buffer.from(path.slice(3), 'base64url')).toEqual(row)
  })

  test('is refused where it begins as a multiget does', () => {
    const row = Buffer.from('multigetabcd', 'base64url')
    expect(() => encodedPath('t', row, [])).toThrow(/native RPC/)
  })
})

test('rows that are such a name themselves go encoded', () => {
  for (const name of ['schema', 'multiget', 'multigets'])
    expect(plainPath('t', Buffer.from(name), [])).toBeUndefined()
})
